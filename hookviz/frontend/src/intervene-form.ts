/** A form that adds a named change at the inspected module. */

import type { Signal } from "@preact/signals-core";
import type { Context } from "./context";
import { button, html } from "./element";
import { placeOf } from "./hook-row";
import type { HooksTabWire, InterventionName, Target } from "./hook-wire";
import { INTERVENTIONS, type Intervention, readArguments, targetText } from "./interventions";
import { follow } from "./lifetime";

interface Parts {
  kind: HTMLSelectElement;
  fields: HTMLElement;
  target: HTMLSelectElement;
  at: HTMLInputElement;
  problem: HTMLElement;
}

export function mountInterveneForm(
  el: HTMLElement,
  shown: Signal<HooksTabWire | null>,
  context: Context,
  signal: AbortSignal,
): void {
  const open = button("", { class: "hv-intervene-open", "aria-expanded": "false" });
  const form = html("form", { class: "hv-intervene", hidden: true });
  const parts = makeParts();
  const apply = html("button", { type: "submit", class: "hv-primary" }, "Apply");
  const cancel = button("Cancel");
  form.append(
    labelled("what", parts.kind),
    parts.fields,
    labelled("on its", parts.target),
    labelled("at", parts.at),
    html(
      "p",
      { class: "hv-footnote hv-muted" },
      "A slice such as [:, 0] for channel 0 of every sample; empty for all of it.",
    ),
    parts.problem,
    html("div", { class: "hv-buttons" }, apply, cancel),
  );
  el.append(open, form);

  const setOpen = (isOpen: boolean): void => {
    form.hidden = !isOpen;
    open.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) parts.kind.focus();
    else tell(parts, "");
  };
  open.addEventListener("click", () => setOpen(form.hidden !== false), { signal });
  cancel.addEventListener(
    "click",
    () => {
      setOpen(false);
      open.focus();
    },
    { signal },
  );
  parts.kind.addEventListener("change", () => drawFields(parts, shown.peek()?.replacements ?? []), { signal });
  form.addEventListener(
    "submit",
    async (event) => {
      event.preventDefault();
      const tab = shown.peek();
      if (tab === null || !(await send(parts, tab.node_id, context))) return;
      setOpen(false);
      open.focus();
    },
    { signal },
  );
  keepFilled(el, open, parts, shown, signal);
}

function makeParts(): Parts {
  const kind = html(
    "select",
    { "aria-label": "Intervention" },
    ...INTERVENTIONS.map(({ name, label }) => html("option", { value: name }, label)),
  );
  return {
    kind,
    fields: html("div", { class: "hv-intervene-fields" }),
    target: html("select", { "aria-label": "Acts on" }),
    at: html("input", {
      type: "text",
      "aria-label": "Slice",
      placeholder: "[:, 0]",
      spellcheck: "false",
      autocomplete: "off",
    }),
    problem: html("p", { class: "hv-form-problem", role: "alert", hidden: true }),
  };
}

/** Offers what can be done at the node; what was typed stays while that does not change. */
function keepFilled(
  el: HTMLElement,
  open: HTMLElement,
  parts: Parts,
  shown: Signal<HooksTabWire | null>,
  signal: AbortSignal,
): void {
  let drawn = "";
  follow(signal, () => {
    const { node_id = "", targets = [], replacements = [] } = shown.value ?? {};
    el.hidden = targets.length === 0;
    open.textContent = `+ Intervene on ${placeOf({ path: node_id.replace(/^module:/, "") })}`;
    const offer = JSON.stringify([node_id, targets, replacements]);
    if (drawn === offer) return;
    drawn = offer;
    parts.target.replaceChildren(...targets.map((each) => html("option", { value: each }, targetText(each))));
    drawFields(parts, replacements);
  });
}

function chosen({ kind }: Parts): Intervention | undefined {
  return INTERVENTIONS.find(({ name }) => name === kind.value);
}

function drawFields(parts: Parts, replacements: readonly string[]): void {
  const intervention = chosen(parts);
  if (intervention === undefined) return;
  const inputs = intervention.fields.map(({ name, label, initial }) =>
    labelled(
      label,
      html("input", {
        type: "text",
        inputmode: "decimal",
        name,
        value: initial,
        "aria-label": label,
        autocomplete: "off",
      }),
    ),
  );
  tell(parts, "");
  if (intervention.name === "replace") {
    const runs = html(
      "select",
      { name: "run", "aria-label": "By the value of" },
      ...replacements.map((run) => html("option", { value: run }, run)),
    );
    if (replacements.length === 0) tell(parts, "No earlier run has kept a value here.");
    inputs.push(labelled("by the value of", runs));
  }
  parts.fields.replaceChildren(...inputs);
}

/** Whether Python made the intervention; else the form says why not. */
async function send(parts: Parts, node_id: string, { kernel }: Context): Promise<boolean> {
  const intervention = chosen(parts);
  if (intervention === undefined) return false;
  const typed = new Map(
    [...parts.fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[name]")].map((each) => [
      each.name,
      each.value,
    ]),
  );
  const read = readArguments(intervention, typed);
  if ("problem" in read) return tell(parts, read.problem);
  const run = typed.get("run");
  if (intervention.name === "replace" && !run) return tell(parts, "No earlier run has kept a value here.");
  tell(parts, "");
  const answer = await kernel.request(
    {
      command: "intervene",
      node_id,
      intervention: parts.kind.value as InterventionName,
      target: parts.target.value as Target,
      arguments: run === undefined ? read.values : { run },
      at: parts.at.value.trim(),
    },
    undefined,
    (problem) => tell(parts, problem),
  );
  return answer !== null;
}

function tell({ problem }: Parts, text: string): false {
  problem.textContent = text;
  problem.hidden = text === "";
  if (text !== "") problem.scrollIntoView({ block: "nearest" });
  return false;
}

function labelled(text: string, control: HTMLElement): HTMLLabelElement {
  return html("label", { class: "hv-field" }, html("span", {}, text), control);
}
