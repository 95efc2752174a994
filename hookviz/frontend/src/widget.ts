/** The anywidget module: mounts the view that the trait `view` asks for. */

import type { RenderProps } from "@anywidget/types";
import { untracked } from "@preact/signals-core";
import { type Context, createContext } from "./context";
import { mountDiagram } from "./diagram";
import { html } from "./element";
import { catchFocus } from "./focus-net";
import { mountHelp } from "./help";
import { mountHooksPane } from "./hooks-pane";
import { mountInspector } from "./inspector";
import { guardKeys } from "./keyboard-guard";
import { mountLegendLine } from "./legend";
import { follow } from "./lifetime";
import { mountPlayback } from "./playback";
import { mountProblemLine } from "./problem-line";
import { hideStaticPicture } from "./static-picture";
import { mountNotice } from "./status-line";
import "./styles/widget.css";
import type { Traits, View } from "./wire";
import { mountWorkbench } from "./workbench";

type Mount = typeof mountDiagram;

function mountOf(view: View): Mount {
  switch (view) {
    case "all":
      return mountWorkbench;
    case "diagram":
      return mountDiagramAlone;
    case "inspector":
      return alone("hv-inspector-pane", mountInspector);
    case "switches":
      return alone("hv-switches-pane", mountHooksPane);
    default:
      return view satisfies never;
  }
}

/** A pane without the workbench around it, for layouts that the user builds from several views. */
function alone(name: string, mount: Mount, mountFoot?: Mount): Mount {
  return (el, context, signal) => {
    const pane = html("div", { class: `hv-pane ${name}` });
    const problem = html("div", { class: "hv-problem" });
    const notice = html("div", { class: "hv-notice" });
    el.append(problem, pane, notice);
    mountProblemLine(problem, context, signal);
    mount(pane, context, signal);
    if (mountFoot !== undefined) {
      const foot = html("div", { class: "hv-legend-line" });
      pane.after(foot);
      mountFoot(foot, context, signal);
    }
    mountNotice(notice, context, signal);
  };
}

/** The bar of captured steps belongs to the picture. */
function mountDiagramAlone(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const playback = html("div", { class: "hv-playback" });
  alone("hv-diagram-pane", mountDiagram, mountLegendLine)(el, context, signal);
  el.querySelector(".hv-diagram-pane")?.after(playback);
  mountPlayback(playback, el, context, signal);
}

function render({ model, el, signal }: RenderProps<Traits>): void {
  const root = html("div", { class: "hookviz", role: "region" });
  el.append(root);
  guardKeys(root, signal);
  catchFocus(root, signal);
  hideStaticPicture(el, signal);
  let mounted: AbortController | undefined;
  signal.addEventListener("abort", () => mounted?.abort(), { once: true });
  const context = createContext(model, el, root, signal);
  follow(signal, () => root.setAttribute("aria-label", `hookviz of ${context.traits.status.value.name}`));
  follow(signal, () => {
    const view = context.traits.view.value;
    mounted?.abort();
    const life = new AbortController();
    mounted = life;
    root.replaceChildren();
    root.dataset.view = view;
    untracked(() => {
      mountOf(view)(root, context, life.signal);
      mountHelp(root, context, life.signal);
    });
  });
}

export default { render };
