/** The capture switches: what is captured, for every module and for the selected one. */

import { computed } from "@preact/signals-core";
import { type Context, selectedPath } from "./context";
import { html } from "./element";
import { follow } from "./lifetime";
import { switchRow } from "./switch-row";
import { isOn, offPlaces, onCount } from "./switch-state";
import type { Switch, SwitchWire } from "./wire";

export function mountSwitches(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const count = html("small");
  const everywhere = html("div", { class: "hv-rows" });
  const here = html("section");
  const off = html("section");
  el.append(
    html(
      "section",
      { "aria-label": "Every module" },
      html("h4", { class: "hv-section" }, "Capture", count),
      everywhere,
    ),
    here,
    off,
  );

  const path = computed(() => selectedPath(context));
  follow(signal, () => {
    const switches = context.traits.switches.value;
    const isReachable = context.isConnected.value;
    const module = path.value;
    count.textContent = onCount(switches);
    redraw(
      everywhere,
      switches.map((each) => switchRow(each.what, null, each.enabled, each.note, !isReachable)),
    );
    here.hidden = module === null;
    redraw(here, module === null ? [] : moduleSection(switches, module, context.traits.status.value.name, isReachable));
    const places = offPlaces(switches);
    off.hidden = places.length === 0;
    redraw(off, places.length === 0 ? [] : offSection(places, isReachable));
  });

  el.addEventListener(
    "click",
    (event) => {
      const pressed = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-what]") : null;
      if (pressed === null || pressed.getAttribute("aria-disabled") === "true") return;
      // Shown as on its way until Python's answer has changed the trait, which draws the switch anew.
      pressed.setAttribute("aria-busy", "true");
      void context.kernel
        .request({
          command: "switch",
          what: pressed.dataset.what as Switch,
          path: pressed.dataset.path ?? null,
          enabled: pressed.getAttribute("aria-checked") !== "true",
        })
        .then(() => pressed.removeAttribute("aria-busy"));
    },
    { signal },
  );
}

function moduleSection(switches: readonly SwitchWire[], path: string, modelName: string, isReachable: boolean): Node[] {
  const rows = switches.map((each) => {
    const note = each.enabled ? "" : "off for every module";
    return switchRow(each.what, path, isOn(each, path), note, !each.enabled || !isReachable);
  });
  return [
    html("h4", { class: "hv-section hv-section-name" }, path === "" ? `${modelName} itself` : path),
    html("div", { class: "hv-rows" }, ...rows),
  ];
}

function offSection(places: readonly { path: string; what: Switch }[], isReachable: boolean): Node[] {
  const rows = places.map(({ path, what }) => switchRow(what, path, false, "", !isReachable, `${path} · ${what}`));
  return [html("h4", { class: "hv-section" }, "Switched off"), html("div", { class: "hv-rows" }, ...rows)];
}

/** Replaces the rows and gives the focus back to the row that stands for the same switch. */
function redraw(el: HTMLElement, children: Node[]): void {
  const focused = document.activeElement;
  const held = focused instanceof HTMLElement && el.contains(focused) ? { ...focused.dataset } : null;
  el.replaceChildren(...children);
  if (held === null) return;
  for (const row of el.querySelectorAll<HTMLElement>("[data-what]")) {
    if (row.dataset.what === held.what && row.dataset.path === held.path) row.focus({ preventScroll: true });
  }
}
