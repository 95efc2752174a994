import { expect, test } from "vitest";
import type { CompareWire, DifferenceWire, PlaceWire } from "../src/compare-wire";
import type { PlaybackWire } from "../src/step-wire";
import type { Command } from "../src/wire";
import { commands, compared, playback } from "./examples";
import { fields, keys } from "./wire-fields";

const PLACE = { id: true, command: true, node_id: true, call: true, tab: true, entry: true } as const;

test("captured steps and a comparison have the fields that Python sends", () => {
  expect(keys(playback)).toEqual(
    fields<PlaybackWire>({
      steps: true,
      held: true,
      newest: true,
      note: true,
      part: true,
      whole: true,
      kept_first: true,
      pinned: true,
    }),
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
