import { describe, expect, test } from "vitest";
import { floats } from "../src/buffers";
import type { PictureWire } from "../src/picture-wire";
import { answerFrom, NotRecordedError } from "../src/recorded-kernel";
import { RecordedModel } from "../src/recorded-model";
import type { RecordingWire } from "../src/recording-wire";
import type { Command, InspectionWire } from "../src/wire";
import { recording } from "./examples";
import { settled } from "./fake-model";

const CONV = "module:body.0";

function ask(command: Omit<Command, "id"> & { [name: string]: unknown }, scene = 0) {
  return answerFrom(recording, { id: 1, ...command } as Command, scene);
}

/** The example with its scenes at these depths, the container `body` unfolded from the second on. */
function withDepths(...depths: number[]): RecordingWire {
  const [scene] = recording.scenes;
  if (scene === undefined) throw new Error("The example has no scene.");
  const scenes = depths.map((depth, i) => ({
    ...scene,
    graph: { ...scene.graph, depth },
    expanded: i > 0 ? ["body"] : [],
  }));
  return { ...recording, scenes };
}

describe("inspect", () => {
  test("gives what was recorded of the node", () => {
    const reply = ask({ command: "inspect", node_id: CONV, call: 0, tab: "output" }).reply as InspectionWire;

    expect([reply.node_id, reply.path, reply.type_name, reply.tab, reply.calls, reply.call]).toEqual([
      CONV,
      "body.0",
      "Conv2d",
      "output",
      1,
      0,
    ]);
    expect(reply.entries.map(({ label, summary }) => [label, summary?.shape])).toEqual([["output", [1, 2, 2, 2]]]);
  });

  test("gives parameters whatever the call", () => {
    const reply = ask({ command: "inspect", node_id: CONV, call: 7, tab: "parameters" }).reply as InspectionWire;

    expect(reply.call).toBe(0);
    expect(reply.entries.map(({ label }) => label)).toEqual(["weight", "weight.grad", "bias", "bias.grad"]);
  });

  test("gives the first tab in the place of one that the node lacks", () => {
    const reply = ask({ command: "inspect", node_id: "module:body", call: 0, tab: "parameters" }).reply;

    expect((reply as InspectionWire).tab).toBe("output");
  });

  test.each(["module:head.0", "constructor", "__proto__"])("says that %s was not recorded", (node_id) => {
    expect(() => ask({ command: "inspect", node_id, call: 0 })).toThrow("is not in this recording");
  });
});

describe("picture", () => {
  test("gives the numbers of the slice, and says which one it is", () => {
    const { reply, buffers } = ask({ command: "picture", node_id: CONV, call: 0, tab: "output", entry: 0 });

    const { rows, columns, note } = reply as PictureWire;
    expect([rows, columns, note]).toEqual([2, 2, "the recording has [:, 0, :, :]"]);
    const [buffer] = buffers;
    if (buffer === undefined) throw new Error("There is no buffer.");
    const values = [...floats(buffer)];
    expect(values).toHaveLength(4);
    expect(Math.max(...values.map(Math.abs))).toBeCloseTo(0.6962, 3);
  });

  test("of a vector says nothing of slices", () => {
    const { reply } = ask({ command: "picture", node_id: CONV, call: 0, tab: "parameters", entry: 2 });

    expect((reply as PictureWire).note).toBe("");
  });

  test("says where there is none", () => {
    expect(() => ask({ command: "picture", node_id: CONV, call: 0, tab: "input", entry: 0 })).toThrow(NotRecordedError);
  });
});

test("effects of hooks are those of the call", () => {
  const { reply } = ask({ command: "effects", node_id: CONV, call: 0 });

  expect(reply).toMatchObject({ node_id: CONV, hook_ids: ["forward:0:body.0"], targets: [] });
});

describe("layouts", () => {
  test.each([
    [0, 1, 1],
    [1, 2, 3],
    [3, 1, 2],
    [1, 0, 0],
    [3, 9, 3],
  ])("from scene %i, depth %i is scene %i", (now, depth, scene) => {
    const answer = answerFrom(withDepths(0, 1, 1, 2), { id: 1, command: "depth", depth }, now);

    expect(answer.scene).toBe(scene);
  });

  test.each([
    [0, true, 1],
    [2, false, 0],
  ])("from scene %i, body unfolded %s is scene %i", (now, expanded, scene) => {
    const answer = answerFrom(withDepths(0, 1, 2), { id: 1, command: "fold", path: "body", expanded }, now);

    expect(answer.scene).toBe(scene);
  });

  test("a container that is folded in every layout cannot be unfolded", () => {
    expect(() => ask({ command: "fold", path: "head", expanded: true })).toThrow("no layout in which head is unfolded");
  });

  test("a module is revealed by the first layout that draws it", () => {
    expect(ask({ command: "reveal", path: "body.0" })).toMatchObject({ scene: 1, selected: CONV });
    expect(() => ask({ command: "reveal", path: "gone" })).toThrow("folded away in every layout");
  });
});

test.each([
  { command: "pause", paused: true },
  { command: "switch", what: "outputs", path: null, enabled: false },
  { command: "hook_switch", hook_ids: ["forward:0:body.0"], enabled: false },
  { command: "hook_remove", hook_id: "forward:0:body.0" },
  { command: "export", format: "svg" },
] as const)("$command needs a model", (command) => {
  expect(() => ask(command)).toThrow("This is a recording: there is no model behind it");
});

describe("the model of a recording", () => {
  test("opens with the scene and the selection that were recorded", () => {
    const model = new RecordedModel(recording);

    expect([model.get("view"), model.get("selected"), model.get("expanded"), model.get("switches")]).toEqual([
      "all",
      CONV,
      ["body"],
      [],
    ]);
  });

  test("answers after the call, under the command's number", async () => {
    const model = new RecordedModel(recording);
    const heard: unknown[] = [];
    model.on("msg:custom", (message) => heard.push(message));

    model.send({ id: 5, command: "pause", paused: true });
    const atOnce = heard.length;
    await settled();

    expect(atOnce).toBe(0);
    expect(heard).toEqual([{ id: 5, error: expect.stringContaining("This is a recording") }]);
  });

  test("changes the picture and what is known of it together", async () => {
    const model = new RecordedModel(recording);
    const seen: unknown[] = [];
    model.on("change:svg", () => seen.push([model.get("graph").depth, model.get("expanded")]));

    model.send({ id: 1, command: "depth", depth: 0 });
    await settled();

    expect(seen).toEqual([[0, []]]);
  });
});
