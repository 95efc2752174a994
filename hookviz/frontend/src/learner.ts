/** Answers to what learners of hooks ask most, each where the question comes up. */

import type { Tab } from "./wire";

/** What a tab shows, and which of the two gradients it is, in one or two sentences. */
export function tabHint(tab: Tab): string {
  switch (tab) {
    case "input":
      return "What forward() was called with: by the names of its arguments, after the forward_pre hooks.";
    case "output":
      return "What the caller received, as it was at that moment: after every forward hook, before later in-place edits.";
    case "grad_output":
      return (
        "Arrives from the loss: ∂loss/∂output, one for each output and of its shape. " +
        "Seen without retain_grad(), which .grad of an intermediate tensor would need."
      );
    case "grad_input":
      return (
        "Leaves towards the layers before: ∂loss/∂input, of the input's shape. " +
        "None where the input needs no gradient, as raw data does not."
      );
    case "parameters":
      return "What is learned here, with the .grad that the last backward pass left.";
    default:
      return tab satisfies never;
  }
}

export const GRADIENT_HINT = "How the loss would change: with what this module returned, and with what it was given.";

export const HOOKS_HINT =
  "What hangs on this module, in the order in which it runs, and what each hook did in this call.";

export const HISTORY_HINT =
  'Its numbers over the captured runs. session.mark("lr=0.1") before each training keeps them apart, to compare them.';

/** A function that hangs at one place more than once is mostly a cell that was run again. */
export const AGAIN_HINT =
  "The same function hangs here more than once. Was its cell run again without handle.remove()?";
