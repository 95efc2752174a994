/** What looks wrong, as a list that opens above the status line; a click leads to the card. */

import type { Context } from "./context";
import { button, html, setText } from "./element";
import type { FindingWire } from "./health-wire";
import { follow } from "./lifetime";

let lists = 0;

export function mountHealthList(el: HTMLElement, context: Context, signal: AbortSignal): void {
  lists += 1;
  const id = `hookviz-health-${lists}`;
  const opener = button("", { class: "hv-health-opener", "aria-expanded": "false", "aria-controls": id });
  const said = html("span", { class: "hv-unseen", role: "status" });
  const list = html("ul", { class: "hv-health-list" });
  const popup = html("div", {
    class: "hv-health-popup",
    id,
    role: "group",
    "aria-label": "What looks wrong",
    hidden: true,
  });
  el.append(opener, said, popup);

  const setOpen = (isOpen: boolean): void => {
    popup.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) list.querySelector("button")?.focus();
  };
  opener.addEventListener("click", () => setOpen(popup.hidden !== false), { signal });
  el.addEventListener(
    "focusout",
    ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && el.contains(relatedTarget))) setOpen(false);
    },
    { signal },
  );
  el.addEventListener(
    "keydown",
    (event) => {
      const all = [...list.querySelectorAll("button")];
      const at = all.findIndex((each) => each.matches(":focus"));
      if (event.key === "Escape" && !popup.hidden) {
        setOpen(false);
        opener.focus();
      } else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
      else if (event.key === "ArrowUp") all.at(at - 1)?.focus();
      else return;
      event.preventDefault();
    },
    { signal },
  );
  list.addEventListener(
    "click",
    ({ target }) => {
      const item = target instanceof Element ? target.closest<HTMLElement>("button[data-number]") : null;
      const finding = context.traits.health.peek().findings[Number(item?.dataset.number)];
      if (finding === undefined) return;
      setOpen(false);
      goTo(finding, context);
    },
    { signal },
  );

  let drawn = "";
  follow(signal, () => {
    const { health, status } = context.traits;
    const { findings, note } = health.value;
    // Judged is after the run: until then "nothing" would stand beside what went wrong in it.
    const isQuiet = findings.length === 0 && (note === "" || status.value.trouble !== null);
    const alarms = findings.filter(({ is_alarm }) => is_alarm).length;
    el.hidden = isQuiet;
    opener.toggleAttribute("data-alarm", alarms > 0);
    opener.textContent = isQuiet ? "" : summaryText(alarms, findings.length - alarms);
    setText(said, alarms > 0 ? opener.textContent : "");
    if (isQuiet) setOpen(false);
    // Drawn anew only where it differs, so that the focus stays.
    const now = JSON.stringify([findings, note]);
    if (now === drawn) return;
    drawn = now;
    const focused = list.querySelector<HTMLElement>("button:focus")?.dataset.number;
    list.replaceChildren(...findings.map(item));
    const content = findings.length === 0 ? [] : [heading(), list];
    popup.replaceChildren(...content, ...(note === "" ? [] : [html("p", { class: "hv-health-note" }, note)]));
    if (focused !== undefined) list.querySelector<HTMLElement>(`button[data-number="${focused}"]`)?.focus();
  });
}

/** `3 things look wrong`, `1 thing looks wrong · 1 note`, `1 note`; `nothing looks wrong so far`. */
export function summaryText(alarms: number, notes: number): string {
  const wrong = alarms === 0 ? "" : alarms === 1 ? "1 thing looks wrong" : `${alarms} things look wrong`;
  const noted = notes === 0 ? "" : notes === 1 ? "1 note" : `${notes} notes`;
  return [wrong, noted].filter((part) => part !== "").join(" · ") || "nothing looks wrong so far";
}

function heading(): HTMLElement {
  const order = html("small", { class: "hv-muted" }, "most suspicious first");
  return html("h4", { class: "hv-section" }, "What looks wrong", order);
}

function item({ symptom, path, sentence, step, is_alarm }: FindingWire, number: number): HTMLElement {
  const line = button("", { "data-number": number, "data-alarm": is_alarm, title: "Show it in the picture" });
  line.append(
    html("b", {}, symptom),
    html("span", { class: "hv-health-path" }, path),
    html("small", { class: "hv-muted" }, `step ${step}`),
    html("span", { class: "hv-health-sentence" }, sentence),
  );
  return html("li", {}, line);
}

/** Selects the module; where it is folded away, Python unfolds what is around it first. */
function goTo({ node_id, module }: FindingWire, { kernel, traits, select }: Context): void {
  const { nodes, groups } = traits.graph.peek();
  if ([...nodes, ...groups].some(({ id }) => id === node_id)) select(node_id);
  else void kernel.request({ command: "reveal", path: module }, "fold");
}
