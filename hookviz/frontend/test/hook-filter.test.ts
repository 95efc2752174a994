import { expect, test } from "vitest";
import { EVERY_HOOK, filterHooks, groupHooks, kindsOf, listRows } from "../src/hook-filter";
import type { HookWire } from "../src/hook-wire";
import { hooks } from "./examples";

const ROOT = { ...hooks[1], path: "", node_ids: ["module:", "output"], label: "on the model" } as HookWire;

const labels = (found: readonly HookWire[]) => found.map(({ label }) => label);

test("hooks are grouped by their owner, yours first", () => {
  expect(groupHooks(hooks).map(({ owner, hooks: members }) => [owner, labels(members)])).toEqual([
    ["yours", ["record", "clip_grad"]],
    ["written", ["scale × 0.5"]],
    ["libraries", ["SpectralNorm.__call__"]],
    ["global", ["count_calls"]],
  ]);
});

test("every word of the text must occur, in the path, label, kind, source or flags", () => {
  const found = (text: string) => labels(filterHooks(hooks, { ...EVERY_HOOK, text }));

  expect(found("CONV1 record")).toEqual(["record"]);
  expect(found("in [3]")).toEqual(["record", "clip_grad"]);
  expect(found("with_kwargs")).toEqual(["record"]);
  expect(found("conv1 nothing")).toEqual([]);
});

test("a kind and a module narrow the list together with the text", () => {
  expect(labels(filterHooks(hooks, { ...EVERY_HOOK, kind: "forward" }))).toEqual(["record", "scale × 0.5"]);
  expect(labels(filterHooks(hooks, { text: "record", kind: "forward", path: "layer1.act" }))).toEqual([]);
});

test("a module has the hooks of its parameters and of what is inside of it; the model itself has its own", () => {
  const at = (path: string) => labels(filterHooks([...hooks, ROOT], { ...EVERY_HOOK, path }));

  expect(at("head.2")).toEqual(["clip_grad"]);
  expect(at("layer1")).toEqual(["SpectralNorm.__call__", "scale × 0.5"]);
  expect(at("layer")).toEqual([]);
  expect(at("")).toEqual(["on the model"]);
});

test("a group without a match has no heading", () => {
  const rows = listRows(hooks, { ...EVERY_HOOK, text: "record" });

  expect(rows.map((row) => (row.type === "group" ? row.group.owner : row.hook.label))).toEqual(["yours", "record"]);
});

test("kinds are offered once each", () => {
  expect(kindsOf(hooks)).toEqual(["forward_pre", "forward", "tensor", "global_forward"]);
});
