/** A model without a kernel: traits that a test sets, commands that a test answers. */

import type { AnyModel } from "@anywidget/types";
import type { Command, Traits } from "../src/wire";
import { colours, graph, hooks, nodeData, status, switches } from "./examples";
import { SVG } from "./picture";

type Callback = (...values: unknown[]) => void;

export class FakeModel {
  readonly sent: Command[] = [];
  readonly traits: Traits = {
    view: "all",
    svg: SVG,
    graph,
    node_data: nodeData,
    status,
    switches,
    health: { findings: [], way_nodes: [], way_edges: [], note: "" },
    playback: { steps: [3], held: null, newest: 3, note: "", part: "", whole: null, kept_first: [], pinned: null },
    hooks,
    selected: "",
    expanded: ["layer1"],
    colour_by: "",
    colours,
  };
  readonly #callbacks = new Map<string, Set<Callback>>();

  /** As the view gets it; the parts of an AnyModel that nothing here uses are absent. */
  get asModel(): AnyModel<Traits> {
    return this as unknown as AnyModel<Traits>;
  }

  /** How many callbacks wait for an event; none may be left when a view went. */
  get listeners(): number {
    return [...this.#callbacks.values()].reduce((sum, callbacks) => sum + callbacks.size, 0);
  }

  get<K extends keyof Traits>(name: K): Traits[K] {
    return this.traits[name];
  }

  set<K extends keyof Traits>(name: K, value: Traits[K]): void {
    this.traits[name] = value;
    this.fire(`change:${name}`);
  }

  save_changes(): void {}

  send(command: Command): void {
    this.sent.push(command);
  }

  on(event: string, callback: Callback): void {
    const callbacks = this.#callbacks.get(event) ?? new Set();
    this.#callbacks.set(event, callbacks.add(callback));
  }

  off(event: string, callback: Callback): void {
    this.#callbacks.get(event)?.delete(callback);
  }

  fire(event: string, ...values: unknown[]): void {
    for (const callback of this.#callbacks.get(event) ?? []) callback(...values);
  }

  /** The commands of one kind that were sent, oldest first. */
  commands<N extends Command["command"]>(name: N): Extract<Command, { command: N }>[] {
    return this.sent.filter((each): each is Extract<Command, { command: N }> => each.command === name);
  }

  /** Answers the newest command of a kind and lets the view take the answer in. */
  async answer(name: Command["command"], reply: unknown, buffers: DataView[] = []): Promise<void> {
    this.fire("msg:custom", { id: this.commands(name).at(-1)?.id, reply }, buffers);
    await settled();
  }
}

/** Lets pending promises run. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
