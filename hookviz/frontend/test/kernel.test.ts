import { Signal } from "@preact/signals-core";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Kernel, PATIENCE_MS } from "../src/kernel";
import { answers, commands, inspection } from "./examples";
import { FakeModel } from "./fake-model";

function connect(isConnected = new Signal(true)) {
  const model = new FakeModel();
  const end = new AbortController();
  const attempt = (send: () => void): boolean => {
    try {
      send();
    } catch {
      isConnected.value = false;
    }
    return isConnected.value;
  };
  return { model, end, isConnected, kernel: new Kernel(model.asModel, { isConnected, attempt }, end.signal) };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const INSPECT = { command: "inspect", node_id: "module:layer1.conv1", call: 0, tab: "output" } as const;

test("a command is sent with an id, and its answer is handed back", async () => {
  const { model, kernel } = connect();

  const answer = kernel.request(INSPECT);
  const [sent] = model.sent;
  model.fire("msg:custom", { id: sent?.id, reply: inspection }, []);

  expect({ ...sent, id: 1 }).toEqual(commands.inspect);
  expect((await answer)?.reply.entries[0]?.label).toBe("output");
});

test("an answer to somebody else's question is not ours", async () => {
  const { model, kernel } = connect();
  const seen = vi.fn();

  void kernel.request(INSPECT).then(seen);
  model.fire("msg:custom", answers.reply, []);
  model.fire("msg:custom", "noise", []);
  await vi.advanceTimersByTimeAsync(0);

  expect(seen).not.toHaveBeenCalled();
});

test("two pages that show the same model use different ids", () => {
  const [first, second] = [connect(), connect()];

  void first.kernel.request(INSPECT);
  void second.kernel.request(INSPECT);

  expect(first.model.sent[0]?.id).not.toBe(second.model.sent[0]?.id);
});

test("an error is told and answered with nothing", async () => {
  const { model, kernel } = connect();

  const answer = kernel.request(INSPECT);
  model.fire("msg:custom", { ...answers.error, id: model.sent[0]?.id }, []);

  expect(await answer).toBeNull();
  expect(kernel.problem.value).toBe("ResNetTiny has no module at 'conv9'. Nearest: conv1.");
});

test("a newer question on the same topic makes the older answer stale", async () => {
  const { model, kernel } = connect();

  const older = kernel.request(INSPECT, "inspect");
  const newer = kernel.request({ ...INSPECT, call: 1 }, "inspect");
  model.fire("msg:custom", { id: model.sent[0]?.id, reply: { ...inspection, call: 0 } }, []);
  model.fire("msg:custom", { id: model.sent[1]?.id, reply: { ...inspection, call: 1 } }, []);

  expect(await older).toBeNull();
  expect((await newer)?.reply.call).toBe(1);
});

test("questions on different topics do not disturb each other", async () => {
  const { model, kernel } = connect();

  const first = kernel.request(INSPECT, "inspect");
  void kernel.request({ command: "depth", depth: 2 }, "fold");
  model.fire("msg:custom", { id: model.sent[0]?.id, reply: inspection }, []);

  expect(await first).not.toBeNull();
});

test("a question that waits for two seconds is told, until it is answered", async () => {
  const { model, kernel } = connect();

  void kernel.request(INSPECT);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 1);
  expect(kernel.isWaiting.value).toBe(false);

  await vi.advanceTimersByTimeAsync(1);
  expect(kernel.isWaiting.value).toBe(true);

  model.fire("msg:custom", { id: model.sent[0]?.id, reply: {} }, []);
  expect(kernel.isWaiting.value).toBe(false);
});

test("asking anew does not start the patience anew", async () => {
  const { kernel } = connect();

  void kernel.request(INSPECT, "inspect");
  await vi.advanceTimersByTimeAsync(1500);
  void kernel.request(INSPECT, "inspect");
  await vi.advanceTimersByTimeAsync(500);

  expect(kernel.isWaiting.value).toBe(true);
});

test("without a kernel nothing is sent, and it is said why", async () => {
  const { model, kernel } = connect(new Signal(false));

  expect(await kernel.request(INSPECT)).toBeNull();
  expect(model.sent).toEqual([]);
  expect(kernel.problem.value).toContain("There is no kernel");
});

test("what cannot be sent any more is told, and nobody waits for an answer", async () => {
  const { model, kernel } = connect();
  const waiting = kernel.request({ command: "depth", depth: 2 }, "fold");
  model.send = () => {
    throw new Error("Cannot send");
  };

  const answer = kernel.request(INSPECT, "inspect");
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);

  expect([await waiting, await answer]).toEqual([null, null]);
  expect(kernel.isWaiting.value).toBe(false);
  expect(kernel.problem.value).toContain("There is no kernel");
});

test("a kernel that goes leaves nobody waiting", async () => {
  const { kernel, isConnected } = connect();

  const answer = kernel.request(INSPECT);
  await vi.advanceTimersByTimeAsync(PATIENCE_MS);
  isConnected.value = false;

  expect(await answer).toBeNull();
  expect(kernel.isWaiting.value).toBe(false);
});

test("a view that goes stops listening", async () => {
  const { model, kernel, end } = connect();

  const answer = kernel.request(INSPECT);
  end.abort();

  expect(await answer).toBeNull();
  expect(model.listeners).toBe(0);
});
