/** Hooks in words: when each kind runs, and what each state of a switch means. */

import type { HookSide, HookWire, Outcome } from "./hook-wire";
import { formatCount } from "./numbers";

/** The stages of a call and its backward pass, in their order. */
export type Stage = "before" | "forward" | "after" | "backward" | "accumulate" | "other";

export const STAGES: readonly Stage[] = ["before", "forward", "after", "backward", "accumulate", "other"];

const STAGE_OF: Record<string, Stage> = {
  forward_pre: "before",
  global_forward_pre: "before",
  patched_forward: "forward",
  parametrization: "forward",
  forward: "after",
  global_forward: "after",
  backward_pre: "backward",
  backward: "backward",
  global_backward_pre: "backward",
  global_backward: "backward",
  tensor: "accumulate",
  grad_accumulator: "accumulate",
  post_accumulate_grad: "accumulate",
};

/** When a hook of this kind runs. */
export function stageOf(kind: string): Stage {
  return STAGE_OF[kind] ?? "other";
}

/** What happens at a stage, as a heading of the time line. */
export function stageTitle(stage: Stage): string {
  switch (stage) {
    case "before":
      return "before forward()";
    case "forward":
      return "in forward()";
    case "after":
      return "after forward()";
    case "backward":
      return "backward";
    case "accumulate":
      return "gradients of parameters";
    case "other":
      return "not part of a run";
    default:
      return stage satisfies never;
  }
}

/** What the hooks of a stage are given, for a learner. */
export function stageHint(stage: Stage): string {
  switch (stage) {
    case "before":
      return "They get the arguments, and may return others: a tuple, or one value.";
    case "forward":
      return "They are part of the computation itself.";
    case "after":
      return "They get the output, and may return another one. Returning None leaves it as it is.";
    case "backward":
      return (
        "grad_output arrives from the loss, grad_input leaves towards the input. They run last layer first. " +
        "They wrap the tensors, so an in-place edit right after the module raises; a tensor hook does not."
      );
    case "accumulate":
      return "They see the gradient of a parameter, before or after it is added to .grad.";
    case "other":
      return "They run when the model is saved, loaded or built.";
    default:
      return stage satisfies never;
  }
}

/** A chip for what a hook did; empty where it did not run. */
export function outcomeText(outcome: Outcome): string {
  switch (outcome) {
    case "":
      return "";
    case "observed":
      return "observed";
    case "changed":
      return "changed it";
    case "did not act":
      return "did not act";
    case "raised":
      return "raised";
    default:
      return outcome satisfies never;
  }
}

/** Why a switch is as it is, or empty text where that is plain. */
export function switchNote(hook: HookWire, refused: string | undefined, isAsked: boolean): string {
  if (hook.protected !== "") return `Locked: ${hook.protected}`;
  if (refused !== undefined) return refused;
  if (hook.pending || isAsked) return "The switch acts when the present run is over.";
  return "";
}

/** Lines that tell a hook in full, for a hover. */
export function hookLines(hook: HookWire, note: string): string[] {
  const flags = hook.flags.length === 0 ? "" : ` (${hook.flags.join(", ")})`;
  const place = hook.source === "" ? hook.kind + flags : `${hook.kind}${flags} · ${hook.source}`;
  return [place, didText(hook), note, hook.about].filter((line) => line !== "");
}

/** What it did last and how often it ran in the shown run; why it did not run where it did not. */
export function didText({ note, fired }: HookWire): string {
  const often = fired > 1 ? `ran ${formatCount(fired)} times in the shown run` : "";
  return [note, often].filter((part) => part !== "").join(" · ") || (fired === 1 ? "ran once in the shown run" : "");
}

/** The colour of what a hook acts on. */
export function toneOf(side: HookSide): "value" | "gradient" | "parameter" | "plain" {
  switch (side) {
    case "input":
    case "output":
      return "value";
    case "gradient":
      return "gradient";
    case "parameter":
      return "parameter";
    case "other":
      return "plain";
    default:
      return side satisfies never;
  }
}
