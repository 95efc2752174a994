/** Answers from a recording what `widget/commands.py` answers from a session. */

import type { HooksTabWire } from "./hook-wire";
import { recordedBlock } from "./recorded-picture";
import type { RecordedEntryWire, RecordedNodeWire, RecordingWire } from "./recording-wire";
import type { Command, InspectionWire, PictureCommand, Tab } from "./wire";

export interface RecordedAnswer {
  reply: unknown;
  buffers: DataView[];
  /** The number of the scene that is shown from now on, where the command changes it. */
  scene?: number;
  selected?: string;
}

/** Why there is no answer; the text is shown. */
export class NotRecordedError extends Error {}

const NOTHING = { reply: {}, buffers: [] };

/**
 * What a session would have answered, as far as it was recorded.
 *
 * Containers unfold by the layouts that there are: to the one nearest to what is asked for.
 *
 * @throws NotRecordedError where it was not recorded, or needs a model.
 */
export function answerFrom(recording: RecordingWire, command: Command, scene: number): RecordedAnswer {
  switch (command.command) {
    case "inspect":
      return { reply: inspect(recording, command.node_id, command.call, command.tab), buffers: [] };
    case "picture":
      return picture(recording, command);
    case "effects":
      return { reply: effects(recording, command.node_id, command.call), buffers: [] };
    case "fold":
      return { ...NOTHING, scene: folded(recording, command.path, command.expanded, scene) };
    case "depth":
      return { ...NOTHING, scene: atDepth(recording, command.depth, scene) };
    case "reveal":
      return reveal(recording, command.path);
    case "direction":
    case "back":
    case "switch":
    case "pause":
    case "hook_switch":
    case "hook_remove":
    case "intervene":
    case "export":
    case "find":
    case "history":
    case "hold":
    case "keep":
    case "pin":
    case "swap":
    case "compare":
      throw new NotRecordedError("This is a recording: there is no model behind it that could be changed or asked.");
    default:
      return command satisfies never;
  }
}

function nodeOf({ nodes }: RecordingWire, id: string): RecordedNodeWire {
  const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
  if (node === undefined) throw new NotRecordedError(`${id.replace(/^module:/, "")} is not in this recording.`);
  return node;
}

function callOf({ calls }: RecordedNodeWire, call: number): number {
  return Math.max(0, Math.min(call, calls.length - 1));
}

function entriesOf(node: RecordedNodeWire, call: number, tab: Tab): RecordedEntryWire[] {
  return tab === "parameters" ? node.parameters : (node.calls[callOf(node, call)]?.entries[tab] ?? []);
}

function inspect(recording: RecordingWire, node_id: string, wanted: number, wantedTab?: Tab): InspectionWire {
  const node = nodeOf(recording, node_id);
  const call = callOf(node, wanted);
  const tab = node.tabs.find((each) => each === wantedTab) ?? node.tabs[0] ?? "output";
  return {
    node_id,
    path: node.path,
    name: node.name,
    type_name: node.type_name,
    detail: node.detail,
    calls: Math.min(node.calls_seen, node.calls.length),
    call,
    step: node.step,
    tab,
    tabs: node.tabs,
    notes: node.calls[call]?.notes ?? [],
    costs: node.calls[call]?.costs ?? [],
    off: node.off,
    entries: entriesOf(node, call, tab),
  };
}

function picture(recording: RecordingWire, command: PictureCommand): RecordedAnswer {
  const { node_id, call, tab, entry } = command;
  const recorded = entriesOf(nodeOf(recording, node_id), call, tab)[entry]?.picture ?? null;
  if (recorded === null) throw new NotRecordedError("The values of this tensor are not in the recording.");
  return recordedBlock(recorded, command);
}

function effects(recording: RecordingWire, node_id: string, call: number): HooksTabWire {
  const node = nodeOf(recording, node_id);
  const recorded = node.calls[callOf(node, call)];
  if (recorded === undefined) throw new NotRecordedError("The hooks of this call are not in the recording.");
  return recorded.hooks;
}

function folded({ scenes }: RecordingWire, path: string, isExpanded: boolean, now: number): number {
  const numbers = isExpanded ? range(now + 1, scenes.length) : range(0, now).reverse();
  const found = numbers.find((number) => scenes[number]?.expanded.includes(path) === isExpanded);
  if (found !== undefined) return found;
  throw new NotRecordedError(`The recording has no layout in which ${path} is ${isExpanded ? "un" : ""}folded.`);
}

/** Scenes lie from folded to unfolded, two of one depth side by side. */
function atDepth({ scenes }: RecordingWire, depth: number, now: number): number {
  const depthOf = (number: number) => scenes[number]?.graph.depth ?? 0;
  const isMore = depth > depthOf(now);
  const numbers = isMore ? range(now + 1, scenes.length) : range(0, now).reverse();
  return numbers.find((number) => (isMore ? depthOf(number) >= depth : depthOf(number) <= depth)) ?? now;
}

function reveal({ scenes }: RecordingWire, path: string): RecordedAnswer {
  const selected = `module:${path}`;
  const scene = scenes.findIndex(({ graph }) => [...graph.nodes, ...graph.groups].some(({ id }) => id === selected));
  if (scene < 0) throw new NotRecordedError(`${path} is folded away in every layout of this recording.`);
  return { ...NOTHING, scene, selected };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
}
