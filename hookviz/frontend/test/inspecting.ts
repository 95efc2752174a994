/** Mounts an inspector that has been answered. */

import type { InspectionWire } from "../src/wire";
import { inspection } from "./examples";
import { frame, type Mounted, mount } from "./views";

export const NODE = "module:layer1.conv1";

/** Numbers as they follow a reply. */
export function values(...numbers: number[]): DataView[] {
  return [new DataView(new Float32Array(numbers).buffer)];
}

export async function inspect(reply: Partial<InspectionWire> = {}): Promise<Mounted> {
  const view = await mount({ view: "inspector", selected: NODE });
  await view.model.answer("inspect", { ...inspection, ...reply });
  await frame();
  return view;
}
