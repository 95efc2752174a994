import { expect, test } from "vitest";
import type { ColourChoiceWire, ColoursWire, MarkWire } from "../src/colour-wire";
import type { FindWire, HitWire } from "../src/find-wire";
import type { EdgeWire, GraphWire, GroupWire, NodeDataWire, NodeWire } from "../src/graph-wire";
import type { HistoryLineWire, HistoryWire } from "../src/history-wire";
import type { EffectEntryWire, EffectWire, HooksTabWire, HookWire, PillWire } from "../src/hook-wire";
import type { PictureWire } from "../src/picture-wire";
import type {
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
  effects,
  exported,
  found,
  graph,
  history,
  hooks,
  inspection,
  nodeData,
  picture,
  status,
  switches,
} from "./examples";
import { fields, keys } from "./wire-fields";

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
      overhead_seconds: true,
      overhead_settles: true,
      overhead_limit: true,
      kept_bytes: true,
      keep_bytes: true,
      message: true,
      trouble: true,
    }),
  );
  expect(keys(status.trouble)).toEqual(fields<TroubleWire>({ node_id: true, path: true, text: true, is_fault: true }));
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
