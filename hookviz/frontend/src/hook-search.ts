/** What narrows the hook list: a text, a kind, the selected module. */

import type { Context } from "./context";
import { selectedPath } from "./context";
import { button, html } from "./element";
import { kindsOf } from "./hook-filter";
import { placeOf } from "./hook-row";
import { follow } from "./lifetime";

export function mountHookSearch(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const { hooks, hookFilter } = context;
  const text = html("input", {
    type: "search",
    class: "hv-hook-text",
    placeholder: "Filter hooks",
    "aria-label": "Filter hooks by path, label, kind or source",
    spellcheck: "false",
  });
  const kind = html("select", { "aria-label": "Kind of hooks" });
  const here = button("", { class: "hv-hook-here" });
  el.append(text, kind, here);
  const change = (part: Partial<typeof hookFilter.value>) => {
    hookFilter.value = { ...hookFilter.peek(), ...part };
  };
  text.addEventListener("input", () => change({ text: text.value }), { signal });
  kind.addEventListener("change", () => change({ kind: kind.value }), { signal });
  here.addEventListener(
    "click",
    () => change({ path: hookFilter.peek().path === null ? selectedPath(context) : null }),
    { signal },
  );

  let drawn = "";
  follow(signal, () => {
    const kinds = kindsOf(hooks.all.value);
    if (drawn !== kinds.join()) {
      drawn = kinds.join();
      kind.replaceChildren(
        html("option", { value: "" }, "every kind"),
        ...kinds.map((each) => html("option", { value: each }, each)),
      );
    }
    const filter = hookFilter.value;
    if (text.value !== filter.text) text.value = filter.text;
    kind.value = filter.kind;
    const path = filter.path ?? selectedPath(context);
    here.hidden = path === null;
    here.setAttribute("aria-pressed", String(filter.path !== null));
    here.textContent =
      filter.path === null ? `only ${placeOf({ path: path ?? "" })}` : `${placeOf({ path: filter.path })} ×`;
    here.title = filter.path === null ? "Show the hooks of the selected module alone" : "Show the hooks of all modules";
    el.hidden = hooks.all.value.length === 0;
  });
}
