/** The named interventions: what each does, which numbers it takes, what it may act on. */

import type { InterventionName, Target } from "./hook-wire";

/** A number that an intervention takes, by the name of its field in `hookviz/hooks/interventions.py`. */
export interface Field {
  name: string;
  label: string;
  initial: string;
  /** It may be left empty. */
  isOptional: boolean;
}

export interface Intervention {
  name: InterventionName;
  label: string;
  fields: readonly Field[];
}

const field = (name: string, label: string, initial: string, isOptional = false): Field => ({
  name,
  label,
  initial,
  isOptional,
});

export const INTERVENTIONS: readonly Intervention[] = [
  { name: "zero", label: "Zero: set it to 0", fields: [] },
  { name: "scale", label: "Scale: multiply it", fields: [field("factor", "by", "0.5")] },
  { name: "add", label: "Add: add a number", fields: [field("value", "add", "1")] },
  {
    name: "clamp",
    label: "Clamp: keep it in a range",
    fields: [field("low", "from", "-1", true), field("high", "to", "1", true)],
  },
  {
    name: "noise",
    label: "Noise: add random numbers",
    fields: [field("std", "std", "0.1"), field("seed", "seed", "0")],
  },
  { name: "replace", label: "Replace: from an earlier run", fields: [] },
];

export function targetText(target: Target): string {
  switch (target) {
    case "output":
      return "output";
    case "input":
      return "input";
    case "grad_output":
      return "grad_output (arrives)";
    case "grad_input":
      return "grad_input (leaves)";
    default:
      return target satisfies never;
  }
}

/** What was typed into the fields as arguments, or what is wrong with it, in plain words. */
export function readArguments(
  { fields }: Intervention,
  typed: ReadonlyMap<string, string>,
): { values: Record<string, number> } | { problem: string } {
  const values: Record<string, number> = {};
  for (const { name, label, isOptional } of fields) {
    const text = typed.get(name)?.trim() ?? "";
    if (text === "" && isOptional) continue;
    const value = Number(text);
    if (text === "" || Number.isNaN(value)) return { problem: `“${label}” needs a number, such as 0.5.` };
    values[name] = value;
  }
  const { low, high } = values;
  if (fields.length > 0 && Object.keys(values).length === 0)
    return { problem: "At least one end of the range is needed." };
  if (low !== undefined && high !== undefined && low > high)
    return { problem: `The range from ${low} to ${high} is empty.` };
  return { values };
}
