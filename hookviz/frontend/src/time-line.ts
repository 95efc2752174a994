/** The hooks of a module along the call: before forward(), after it, and on the way back. */

import { effectEntry } from "./effect-entry";
import { html } from "./element";
import type { HookBoard } from "./hook-board";
import { hookSwitch } from "./hook-row";
import type { EffectWire, HooksTabWire, HookWire } from "./hook-wire";
import { hookLines, outcomeText, STAGES, type Stage, stageHint, stageOf, stageTitle, toneOf } from "./hook-words";

/** A stage with its hooks; what no hook hangs on is told only where it gives the others their place. */
export interface StagePart {
  stage: Stage;
  hooks: HookWire[];
}

/** The stages to show, in their order; `forward` always, since it is what the others are around of. */
export function stageParts(hooks: readonly HookWire[]): StagePart[] {
  return STAGES.map((stage) => ({ stage, hooks: hooks.filter(({ kind }) => stageOf(kind) === stage) })).filter(
    ({ stage, hooks: members }) => members.length > 0 || stage === "forward",
  );
}

export function timeLine({ effects }: HooksTabWire, hooks: readonly HookWire[], board: HookBoard): HTMLElement {
  const sections = stageParts(hooks).map(({ stage, hooks: members }) =>
    html(
      "li",
      { class: "hv-stage-part", "data-stage": stage, "data-empty": members.length === 0 },
      html("h4", { class: "hv-stage-title" }, members.length === 0 ? "forward()" : stageTitle(stage)),
      members.length > 0 && html("p", { class: "hv-footnote hv-muted" }, stageHint(stage)),
      html(
        "ol",
        { class: "hv-steps" },
        ...members.map((hook) =>
          step(
            hook,
            effects.filter(({ hook_id }) => hook_id === hook.id),
            board,
          ),
        ),
      ),
    ),
  );
  return html("ol", { class: "hv-time-line" }, ...sections);
}

function step(hook: HookWire, effects: readonly EffectWire[], board: HookBoard): HTMLElement {
  const outcome = effects.at(-1)?.outcome ?? "";
  const control = hookSwitch(hook, board);
  control.tabIndex = 0;
  const [place = ""] = hookLines(hook, "");
  return html(
    "li",
    { class: "hv-step", "data-hook": hook.id, "data-outcome": outcome, "data-off": !hook.enabled },
    html(
      "div",
      { class: "hv-step-head" },
      control,
      html("b", { class: "hv-step-label", title: hook.about }, hook.label),
      outcome !== "" && html("span", { class: "hv-outcome", "data-outcome": outcome }, outcomeText(outcome)),
    ),
    html(
      "div",
      { class: "hv-step-place" },
      html("span", { class: "hv-chip", "data-tone": toneOf(hook.side), title: hook.about }, hook.kind),
      html("span", { class: "hv-muted hv-mono" }, place.replace(hook.kind, "").replace(/^ · /, "")),
    ),
    hook.protected !== "" && html("div", { class: "hv-reason" }, `Locked: ${hook.protected}`),
    effects.length === 0 && html("div", { class: "hv-reason" }, notRun(hook)),
    ...effects.flatMap((effect) => [
      html(
        "div",
        { class: "hv-effect-text" },
        html(
          "span",
          { class: "hv-order", title: `The ${effect.order + 1}. hook of this run` },
          String(effect.order + 1),
        ),
        effect.text,
      ),
      ...effect.entries.map(effectEntry),
    ]),
  );
}

function notRun({ enabled, note }: HookWire): string {
  if (note !== "") return note;
  return enabled ? "It has not run in this call." : "It is off.";
}
