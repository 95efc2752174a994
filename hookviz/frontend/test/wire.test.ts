import { expect, test } from "vitest";
import type { ColourChoiceWire, ColoursWire, MarkWire } from "../src/colour-wire";
import type { CompareWire, DifferenceWire, PlaceWire } from "../src/compare-wire";
import type { FindWire, HitWire } from "../src/find-wire";
import type { EdgeWire, GraphWire, GroupWire, NodeDataWire, NodeWire } from "../src/graph-wire";
import type { HistoryLineWire, HistoryWire } from "../src/history-wire";
import type { EffectEntryWire, EffectWire, HooksTabWire, HookWire, PillWire } from "../src/hook-wire";
import type { PictureWire } from "../src/picture-wire";
import type { PlaybackWire } from "../src/step-wire";
import type {
  Command,
  CostLineWire,
  EntryWire,
  ExportWire,
  HistogramWire,
  InspectionWire,
  StatusWire,
  SummaryWire,
  SwitchWire,
  TroubleWire,
} from "../src/wire";
import {
  coloured,
  commands,
  compared,
  effects,
  exported,
  found,
  graph,
  history,
  hooks,
  inspection,
  nodeData,
  picture,
  playback,
  status,
  switches,
} from "./examples";

/** The names of all fields of a type: the compiler refuses one that is missing or too many. */
function fields<T>(names: Record<keyof T, true>): string[] {
  return Object.keys(names).sort();
}

function keys(value: unknown): string[] {
  return Object.keys(value as object).sort();
}

test("a graph has the fields that Python sends", () => {
  expect(keys(graph)).toEqual(
    fields<GraphWire>({
      title: true,
      nodes: true,
      groups: true,
      edges: true,
      is_traced: true,
      direction: true,
      leads_back: true,
      depth: true,
      max_depth: true,
    }),
  );
  const node = fields<NodeWire>({
    id: true,
    kind: true,
    path: true,
    name: true,
    type_name: true,
    detail: true,
    group: true,
    calls: true,
    is_foldable: true,
    passes_through: true,
    in_place: true,
    repeats: true,
    members: true,
    is_taken_out: true,
    pills: true,
  });
  for (const each of graph.nodes) expect(keys(each)).toEqual(node);
  expect(keys(graph.groups[0])).toEqual(
    fields<GroupWire>({ id: true, path: true, name: true, type_name: true, parent: true, calls: true, pills: true }),
  );
  expect(keys(graph.nodes[1]?.pills[0])).toEqual(
    fields<PillWire>({ hook_ids: true, text: true, side: true, title: true }),
  );
  expect(keys(graph.edges[0])).toEqual(fields<EdgeWire>({ id: true, source: true, target: true, shape: true }));
});

test("live values and the status have the fields that Python sends", () => {
  expect(keys(nodeData["module:head"])).toEqual(
    fields<NodeDataWire>({ state: true, spark: true, value: true, gradient: true, trouble: true, note: true }),
  );
  expect(keys(status)).toEqual(
    fields<StatusWire>({
      state: true,
      name: true,
      parameters: true,
      mode: true,
      runs: true,
      captured: true,
      step: true,
      overhead: true,
      overhead_limit: true,
      kept_bytes: true,
      keep_bytes: true,
      message: true,
      trouble: true,
    }),
  );
  expect(keys(status.trouble)).toEqual(fields<TroubleWire>({ node_id: true, path: true, text: true }));
  expect(keys(switches[0])).toEqual(fields<SwitchWire>({ what: true, enabled: true, off_paths: true, note: true }));
});

test("the replies have the fields that Python sends", () => {
  expect(keys(inspection)).toEqual(
    fields<InspectionWire>({
      node_id: true,
      path: true,
      name: true,
      type_name: true,
      detail: true,
      calls: true,
      call: true,
      step: true,
      tab: true,
      tabs: true,
      notes: true,
      costs: true,
      off: true,
      entries: true,
    }),
  );
  expect(keys(inspection.costs[0])).toEqual(fields<CostLineWire>({ label: true, text: true, note: true }));
  const [entry] = inspection.entries;
  expect(keys(entry)).toEqual(fields<EntryWire>({ label: true, python: true, summary: true, kept: true, note: true }));
  expect(keys(entry?.summary)).toEqual(
    fields<SummaryWire>({
      shape: true,
      dtype: true,
      device: true,
      mean: true,
      std: true,
      min: true,
      max: true,
      norm: true,
      zeros: true,
      nans: true,
      infs: true,
      numel: true,
      histogram: true,
      note: true,
    }),
  );
  expect(keys(entry?.summary?.histogram)).toEqual(
    fields<HistogramWire>({ low: true, high: true, counts: true, sampled: true, of: true }),
  );
  expect(keys(picture)).toEqual(
    fields<Omit<PictureWire, "movable">>({
      form: true,
      forms: true,
      rows: true,
      columns: true,
      tiles: true,
      row_axis: true,
      column_axis: true,
      tile_axis: true,
      color_axis: true,
      index: true,
      shape: true,
      axis_names: true,
      row_step: true,
      column_step: true,
      is_wide: true,
      is_rounded: true,
      nans: true,
      infs: true,
      first_bad: true,
      part: true,
      note: true,
    }),
  );
  expect(keys(exported)).toEqual(fields<ExportWire>({ file_name: true, media_type: true }));
});

test("hooks and what they did have the fields that Python sends", () => {
  const hook = fields<HookWire>({
    id: true,
    kind: true,
    path: true,
    node_ids: true,
    label: true,
    source: true,
    owner: true,
    flags: true,
    side: true,
    enabled: true,
    pending: true,
    protected: true,
    removable: true,
    fired: true,
    outcome: true,
    note: true,
    about: true,
  });
  for (const each of hooks) expect(keys(each)).toEqual(hook);
  expect(keys(effects)).toEqual(
    fields<HooksTabWire>({
      node_id: true,
      call: true,
      hook_ids: true,
      effects: true,
      targets: true,
      replacements: true,
    }),
  );
  expect(keys(effects.effects[0])).toEqual(
    fields<EffectWire>({ hook_id: true, order: true, outcome: true, text: true, entries: true }),
  );
  expect(keys(effects.effects[0]?.entries[0])).toEqual(
    fields<EffectEntryWire>({
      label: true,
      before: true,
      after: true,
      before_values: true,
      after_values: true,
      difference: true,
      note: true,
    }),
  );
});

test("what was found and a history have the fields that Python sends", () => {
  expect(keys(found)).toEqual(fields<FindWire>({ total: true, hits: true }));
  const hit = fields<HitWire>({ path: true, node_id: true, name: true, type_name: true, shape: true, matched: true });
  for (const each of found.hits) expect(keys(each)).toEqual(hit);
  expect(keys(history)).toEqual(fields<HistoryWire>({ node_id: true, marks: true, first_steps: true, lines: true }));
  expect(keys(history.lines[0])).toEqual(fields<HistoryLineWire>({ plotted: true, mark: true, count: true }));
});

const PLACE = { id: true, command: true, node_id: true, call: true, tab: true, entry: true } as const;

test("captured steps and a comparison have the fields that Python sends", () => {
  expect(keys(playback)).toEqual(
    fields<PlaybackWire>({ steps: true, held: true, newest: true, note: true, kept_first: true, pinned: true }),
  );
  expect(keys(compared)).toEqual(
    fields<CompareWire>({
      a: true,
      b: true,
      a_summary: true,
      b_summary: true,
      deltas: true,
      difference: true,
      pictures: true,
      why: true,
    }),
  );
  expect(keys(compared.a)).toEqual(
    fields<PlaceWire>({
      node_id: true,
      call: true,
      tab: true,
      entry: true,
      step: true,
      words: true,
      python: true,
    }),
  );
  expect(keys(compared.difference)).toEqual(
    fields<DifferenceWire>({
      numel: true,
      differing: true,
      not_finite: true,
      largest: true,
      index: true,
      at_a: true,
      at_b: true,
      mean: true,
      norm: true,
      relative: true,
      cosine: true,
    }),
  );
});

test("there is an example of every command, with the fields that the view sends", () => {
  type Fields<N extends Command["command"]> = Record<keyof Extract<Command, { command: N }>, true>;
  const known: { [N in Command["command"]]: Fields<N> } = {
    inspect: { id: true, command: true, node_id: true, call: true, tab: true },
    picture: {
      id: true,
      command: true,
      node_id: true,
      call: true,
      tab: true,
      entry: true,
      form: true,
      row_axis: true,
      column_axis: true,
      tile_axis: true,
      color_axis: true,
      index: true,
      part: true,
    },
    fold: { id: true, command: true, path: true, expanded: true },
    reveal: { id: true, command: true, path: true },
    depth: { id: true, command: true, depth: true },
    direction: { id: true, command: true, direction: true },
    back: { id: true, command: true },
    switch: { id: true, command: true, what: true, path: true, enabled: true },
    pause: { id: true, command: true, paused: true },
    export: { id: true, command: true, format: true },
    find: { id: true, command: true, text: true },
    history: { id: true, command: true, node_id: true },
    hold: { id: true, command: true, step: true },
    keep: { ...PLACE, kept: true },
    pin: PLACE,
    swap: PLACE,
    compare: {
      ...PLACE,
      form: true,
      row_axis: true,
      column_axis: true,
      tile_axis: true,
      color_axis: true,
      index: true,
      part: true,
    },
    hook_switch: { id: true, command: true, hook_ids: true, enabled: true },
    hook_remove: { id: true, command: true, hook_id: true },
    effects: { id: true, command: true, node_id: true, call: true },
    intervene: {
      id: true,
      command: true,
      node_id: true,
      intervention: true,
      target: true,
      arguments: true,
      at: true,
    },
  };

  expect(Object.fromEntries(Object.entries(commands).map(([name, each]) => [name, keys(each)]))).toEqual(
    Object.fromEntries(Object.entries(known).map(([name, each]) => [name, keys(each)])),
  );
});

test("the example of colours has the fields of its type", () => {
  expect(keys(coloured)).toEqual(
    fields<ColoursWire>({
      by: true,
      title: true,
      low: true,
      high: true,
      is_log: true,
      note: true,
      marks: true,
      light: true,
      dark: true,
      choices: true,
    }),
  );
  expect(keys(coloured.marks["module:conv1"])).toEqual(fields<MarkWire>({ text: true, place: true }));
  expect(keys(coloured.choices[0])).toEqual(fields<ColourChoiceWire>({ by: true, title: true, explanation: true }));
});
