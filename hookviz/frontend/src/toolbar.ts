/** The toolbar: what model this is, how deep it is unfolded, pausing, exporting, and the drawers. */

import type { Context, Drawer } from "./context";
import { button, html } from "./element";
import { mountExportMenu } from "./export-menu";
import { mountFind } from "./find";
import { follow } from "./lifetime";

export function mountToolbar(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const name = html("h2", { class: "hv-heading hv-title" });
  const facts = html("span", { class: "hv-muted hv-facts" });
  const menu = html("div", { class: "hv-menu-box" });
  const spacer = html("span", { class: "hv-grow" });
  const find = html("div", { class: "hv-find" });
  const depth = html("div", { class: "hv-segments", role: "group", "aria-label": "Depth" });
  const pauseWord = html("span", { class: "hv-word" });
  const pause = button("");
  pause.append(pauseWord);
  const left = drawerButton("Hooks", "switches");
  const right = drawerButton("Inspect", "inspector");
  el.append(left, name, facts, spacer, find, depth, pause, menu, right);
  mountFind(find, context, signal);
  mountDepth(depth, context, signal);
  mountExportMenu(menu, context, signal);

  pause.addEventListener(
    "click",
    () => void context.kernel.request({ command: "pause", paused: context.traits.status.peek().state !== "paused" }),
    { signal },
  );
  for (const drawer of [left, right]) {
    drawer.addEventListener("click", () => toggleDrawer(context, drawer.dataset.drawer as Drawer), { signal });
  }

  follow(signal, () => {
    const { name: title, parameters, mode, state } = context.traits.status.value;
    name.textContent = title;
    facts.textContent = [parameters, mode].filter((fact) => fact !== "").join(" · ");
    // A narrow view has room for the name alone.
    name.title = `${title} · ${facts.textContent}`;
    pauseWord.textContent = state === "paused" ? "Resume" : "Pause";
    pause.title = state === "paused" ? "Capture again from the next run on" : "Stop capturing; hooks cost nothing then";
    pause.dataset.icon = state === "paused" ? "play" : "pause";
    pause.disabled = state === "closed" || state === "gone" || !context.isConnected.value;
    // A recording runs nothing, and is a file already.
    pause.hidden = state === "recorded";
    menu.hidden = state === "recorded";
  });
  follow(signal, () => {
    for (const drawer of [left, right]) {
      drawer.hidden = !context.isNarrow.value;
      drawer.setAttribute("aria-expanded", String(context.openDrawer.value === drawer.dataset.drawer));
    }
  });
}

function mountDepth(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const less = button("−", { "aria-label": "Unfold one level less", title: "Unfold one level less" });
  const text = html("span");
  const more = button("+", { "aria-label": "Unfold one level more", title: "Unfold one level more" });
  const shown = html("span");
  text.append(html("span", { class: "hv-word" }, "depth "), shown);
  el.append(less, text, more);
  const goBy = (steps: number) => () => {
    const { depth, max_depth } = context.traits.graph.peek();
    // More may have been asked for than there is; one less is one less than what is seen.
    void context.kernel.request({ command: "depth", depth: Math.min(depth, max_depth) + steps }, "fold");
  };
  less.addEventListener("click", goBy(-1), { signal });
  more.addEventListener("click", goBy(1), { signal });
  follow(signal, () => {
    const { depth, max_depth } = context.traits.graph.value;
    shown.textContent = String(depth);
    text.title = `${Math.min(depth, max_depth)} of ${max_depth} levels of containers are unfolded`;
    const isCut = !context.isConnected.value;
    less.disabled = isCut || depth <= 0;
    more.disabled = isCut || depth >= max_depth;
  });
}

function drawerButton(text: string, drawer: Drawer): HTMLButtonElement {
  return button(text, { "data-drawer": drawer, "aria-expanded": "false" });
}

function toggleDrawer({ openDrawer }: Context, drawer: Drawer): void {
  openDrawer.value = openDrawer.peek() === drawer ? null : drawer;
}
