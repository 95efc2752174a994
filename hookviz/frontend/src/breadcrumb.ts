/** Where one is: the containers around what is selected, each of which a click selects, and the way back. */

import { type Context, enclosingId, findSelected } from "./context";
import { button, html } from "./element";
import { follow } from "./lifetime";

interface Crumb {
  /** Node id to select. */
  id: string;
  name: string;
}

export function mountBreadcrumb(el: HTMLElement, context: Context, goBack: () => void, signal: AbortSignal): void {
  const back = button("↶", {
    class: "hv-back",
    "aria-label": "Back to the layout before",
    title: "Undo folding (Backspace)",
  });
  const trail = html("ol", {});
  const path = html("nav", { "aria-label": "Path of the selection" }, trail);
  el.append(back, path);
  back.addEventListener("click", goBack, { signal });
  trail.addEventListener(
    "click",
    ({ target }) => {
      const crumb = target instanceof Element ? target.closest<HTMLElement>("[data-crumb]") : null;
      if (crumb?.dataset.crumb !== undefined) context.select(crumb.dataset.crumb);
    },
    { signal },
  );
  follow(signal, () => {
    back.hidden = !context.traits.graph.value.leads_back;
  });
  follow(signal, () => {
    const crumbs = crumbsOf(context);
    trail.replaceChildren(...crumbs.map((crumb, i) => item(crumb, i === crumbs.length - 1)));
    path.hidden = crumbs.length === 0;
  });
}

/** From the model to what is selected; empty where nothing is. */
export function crumbsOf(context: Context): Crumb[] {
  const { selected, status } = context.traits;
  const id = selected.value;
  if (id === "") return [];
  const item = findSelected(context);
  const crumbs: Crumb[] = [];
  // An operation, an input or a parameter stands in the container that its path names.
  const isModule = id.startsWith("module:");
  if (!isModule) crumbs.unshift({ id, name: item?.name ?? id });
  let around = isModule ? id : `module:${item?.path ?? ""}`;
  while (around !== "" && around !== "module:") {
    crumbs.unshift({ id: around, name: around.slice(around.lastIndexOf(around.includes(".") ? "." : ":") + 1) });
    around = enclosingId(around);
  }
  crumbs.unshift({ id: "module:", name: status.value.name });
  return crumbs;
}

function item({ id, name }: Crumb, isLast: boolean): HTMLElement {
  if (isLast) return html("li", { "aria-current": "true" }, html("b", { title: name }, name));
  return html("li", {}, button(name, { "data-crumb": id, title: `Select ${name}` }));
}
