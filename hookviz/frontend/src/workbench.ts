/** All panes together: switches on the left, the diagram, the inspector on the right. */

import { mountAnnouncer } from "./announcer";
import type { Context, Drawer } from "./context";
import { mountDiagram } from "./diagram";
import { button, html } from "./element";
import { focusFindOnSlash } from "./find";
import { mountHooksPane } from "./hooks-pane";
import { mountInspector } from "./inspector";
import { follow, onResize } from "./lifetime";
import { mountPaneDivider } from "./pane-divider";
import { focusDiagram, handlePaneKeys } from "./pane-keys";
import { mountPlayback } from "./playback";
import { mountProblemLine } from "./problem-line";
import { mountStatusLine } from "./status-line";
import { mountToolbar } from "./toolbar";

/** Below this width the side panes are drawers, of which at most one is open. */
const NARROW_PX = 900;

export function mountWorkbench(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const toolbar = html("div", { class: "hv-toolbar", role: "group", "aria-label": "Tools" });
  const problem = html("div", { class: "hv-problem" });
  const switches = html("aside", { class: "hv-pane hv-switches-pane", "aria-label": "Hooks" });
  const diagram = html("section", { class: "hv-pane hv-diagram-pane", "aria-label": "Diagram" });
  const inspector = html("aside", { class: "hv-pane hv-inspector-pane", "aria-label": "Inspector" });
  const playback = html("div", { class: "hv-playback" });
  const status = html("div", { class: "hv-status" });
  const panes = html("div", { class: "hv-panes" }, switches);
  mountPaneDivider(panes, switches, signal);
  panes.append(diagram, inspector);
  el.append(toolbar, problem, panes, playback, status);

  mountToolbar(toolbar, context, signal);
  mountProblemLine(problem, context, signal);
  mountHooksPane(switches, context, signal);
  mountDiagram(diagram, context, signal);
  mountInspector(inspector, context, signal);
  mountPlayback(playback, el, context, signal);
  mountStatusLine(status, context, signal);
  mountAnnouncer(el, context, signal);
  focusFindOnSlash(el, signal);
  handlePaneKeys(el, { switches, diagram, inspector }, context, signal);
  addCloseButton(el, inspector, context, signal);
  layOut(el, { switches, inspector }, context, signal);
  inspectSelection(diagram, context, signal);
  openDrawerOnSelect(diagram, context, signal);
}

function layOut(el: HTMLElement, drawers: Record<Drawer, HTMLElement>, context: Context, signal: AbortSignal): void {
  const { isNarrow, openDrawer, isInspecting } = context;
  onResize(signal, el, () => {
    // The widget's own width counts: a notebook beside a file browser is narrow in a wide window.
    if (el.clientWidth > 0) isNarrow.value = el.clientWidth < NARROW_PX;
  });
  follow(signal, () => {
    el.toggleAttribute("data-narrow", isNarrow.value);
    drawers.switches.hidden = isNarrow.value && openDrawer.value !== "switches";
    drawers.inspector.hidden = isNarrow.value ? openDrawer.value !== "inspector" : !isInspecting.value;
  });
  el.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Escape" && !event.defaultPrevented) closeSidePane(el, context);
    },
    { signal },
  );
}

/** In a narrow view the open drawer; else the inspector, which stands there for as long as something is selected. */
function closeSidePane(el: HTMLElement, { isNarrow, openDrawer, select }: Context): void {
  // A focus that vanishes with its pane would end in the host, where letters are commands.
  if (el.querySelector("aside:focus-within") !== null) {
    focusDiagram(el);
  }
  if (isNarrow.peek()) openDrawer.value = null;
  else select("");
}

function addCloseButton(el: HTMLElement, inspector: HTMLElement, context: Context, signal: AbortSignal): void {
  const close = button("×", { "aria-label": "Close the inspector", title: "Close (Esc)", class: "hv-quiet hv-close" });
  inspector.prepend(close);
  close.addEventListener("click", () => closeSidePane(el, context), { signal });
}

/** Longer than a double click, which folds and must find the diagram unmoved. */
const OPEN_DELAY_MS = 300;

/** A wide view has room for the inspector as soon as there is something to look into. */
function inspectSelection(diagram: HTMLElement, { isInspecting, traits }: Context, signal: AbortSignal): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  follow(signal, () => {
    const isWanted = traits.selected.value !== "";
    clearTimeout(timer);
    if (isWanted && diagram.matches(":hover")) {
      timer = setTimeout(() => {
        isInspecting.value = true;
      }, OPEN_DELAY_MS);
    } else isInspecting.value = isWanted;
  });
}

/** In a narrow view a click or Enter on a card would otherwise seem to do nothing. */
function openDrawerOnSelect(
  diagram: HTMLElement,
  { isNarrow, openDrawer, traits }: Context,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  diagram.addEventListener(
    "keydown",
    ({ key, target }) => {
      const isCard = target instanceof Element && target.matches("[data-node]");
      if (key === "Enter" && isCard && isNarrow.peek()) openDrawer.value = "inspector";
    },
    { signal },
  );
  diagram.addEventListener(
    "click",
    (event) => {
      clearTimeout(timer);
      const isSelection = event.target instanceof Element && event.target.closest(".hv-selected, [data-node]") !== null;
      if (!isNarrow.peek() || !isSelection || event.detail > 1) return;
      timer = setTimeout(() => {
        if (traits.selected.peek() !== "") openDrawer.value = "inspector";
      }, OPEN_DELAY_MS);
    },
    { signal },
  );
}
