/** Where a tab is empty because its kind of capture is off: the switch that fills it from the next run on. */

import { type Context, selectedPath } from "./context";
import { button } from "./element";
import type { Inspection } from "./inspection";
import { follow } from "./lifetime";
import { isOn, switchOf } from "./switch-state";

export function mountCaptureHere(el: HTMLElement, context: Context, inspection: Inspection, signal: AbortSignal): void {
  const { traits, kernel, isConnected } = context;
  const capture = button("", { class: "hv-small" });
  el.append(capture);

  const offSwitch = () => {
    const tab = inspection.shown.value?.tab;
    const what = tab === undefined ? null : switchOf(tab);
    const path = selectedPath(context);
    const each = traits.switches.value.find((one) => one.what === what);
    return each === undefined || path === null || isOn(each, path) ? null : { ...each, path };
  };
  capture.addEventListener(
    "click",
    () => {
      const off = offSwitch();
      if (off === null) return;
      const { what, enabled, path } = off;
      void kernel.request({ command: "switch", what, path: enabled ? path : null, enabled: true });
    },
    { signal },
  );
  follow(signal, () => {
    const off = offSwitch();
    const { state } = traits.status.value;
    el.hidden = off === null || !isConnected.value || state === "closed" || state === "gone" || state === "recorded";
    if (off === null) return;
    const where = off.enabled ? off.path || "the model itself" : "all modules";
    capture.textContent = `Capture ${off.what} of ${where} from the next run`;
  });
}
