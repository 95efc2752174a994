/** The status line: whether the session lives, what it captured, what that cost. */

import type { Context } from "./context";
import { button, html, setText } from "./element";
import { mountHealthList } from "./health-list";
import { refusedText } from "./hook-board";
import { mountLegendLine } from "./legend";
import { follow } from "./lifetime";
import { type Life, lifeAndStep, lifeOf, lifeText, memoryText, overheadHint, runsText } from "./status-text";

export function mountStatusLine(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { traits, kernel, isConnected } = context;
  const dot = html("span", { class: "hv-dot", "aria-hidden": "true" });
  const life = html("span", { role: "status" });
  const step = html("span");
  const runs = html("span");
  const memory = html("span");
  const message = html("span", { class: "hv-message", role: "status" });
  const trouble = button("", { class: "hv-trouble" });
  const health = html("div", { class: "hv-health" });
  const legend = html("span", { class: "hv-legend-line" });
  el.append(html("span", { class: "hv-life" }, dot, life, step), runs, memory, health, message, trouble, legend);
  mountLegendLine(legend, context, signal);
  mountHealthList(health, context, signal);

  trouble.addEventListener(
    "click",
    () => {
      const place = traits.status.peek().trouble;
      if (place === null) return;
      if (place.node_id !== "") context.select(place.node_id);
      // Where it is folded away, Python unfolds what is around it and selects it.
      if (place.node_id !== `module:${place.path}`)
        void kernel.request({ command: "reveal", path: place.path }, "fold");
    },
    { signal },
  );
  follow(signal, () => {
    const status = traits.status.value;
    const now: Life = lifeOf(status.state, isConnected.value, kernel.isWaiting.value);
    el.dataset.life = now;
    const [lifeWords, stepWords] = lifeAndStep(now, status, traits.playback.value);
    setText(life, lifeWords);
    step.textContent = stepWords;
    runs.textContent = runsText(status);
    runs.title = overheadHint(status);
    memory.textContent = memoryText(status);
    const refused = refusedText(context.hooks);
    setText(message, refused || status.message);
    message.title = refused || status.message;
    message.hidden = message.textContent === "";
    message.toggleAttribute("data-refused", refused !== "");
    trouble.hidden = status.trouble === null;
    trouble.textContent = status.trouble === null ? "" : `${status.trouble.text} →`;
    trouble.toggleAttribute("data-interrupt", status.trouble?.is_fault === false);
    trouble.title = status.trouble === null ? "" : `Show ${status.trouble.path || status.name}: ${status.trouble.text}`;
  });
}

/** One line for a pane that stands alone: only what keeps it from working. */
export function mountNotice(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { traits, kernel, isConnected } = context;
  el.setAttribute("role", "status");
  follow(signal, () => {
    const now = lifeOf(traits.status.value.state, isConnected.value, kernel.isWaiting.value);
    const isQuiet = now === "live" || now === "paused" || now === "waiting";
    el.hidden = isQuiet;
    setText(el, isQuiet ? "" : lifeText(now));
    el.dataset.life = now;
  });
}
