/** Stands in for the widget's model where there is only a recording: traits that change by folding and selecting. */

import type { AnyModel } from "@anywidget/types";
import type { ColoursWire } from "./colour-wire";
import { answerFrom, NotRecordedError } from "./recorded-kernel";
import type { RecordedSceneWire, RecordingWire } from "./recording-wire";
import { NO_PLAYBACK } from "./step-wire";
import type { Command, Traits } from "./wire";

type Listener = (...values: unknown[]) => void;

export class RecordedModel {
  readonly #recording: RecordingWire;
  readonly #traits: Traits;
  readonly #listeners = new Map<string, Set<Listener>>();
  #scene: number;

  constructor(recording: RecordingWire) {
    const { status, hooks, scenes, opening, selected, colour_by } = recording;
    const scene = scenes[opening];
    if (scene === undefined) throw new Error(`The recording has no scene ${opening}.`);
    this.#recording = recording;
    this.#scene = opening;
    const colours = coloursOf(scene, colour_by);
    this.#traits = {
      view: "all",
      playback: NO_PLAYBACK,
      status,
      hooks,
      switches: [],
      selected,
      colour_by,
      ...scene,
      colours,
    };
  }

  /** As the view takes it, which uses no more of it than there is. */
  get asModel(): AnyModel<Traits> {
    return this as unknown as AnyModel<Traits>;
  }

  get<K extends keyof Traits>(name: K): Traits[K] {
    return this.#traits[name];
  }

  set<K extends keyof Traits>(name: K, value: Traits[K]): void {
    if (this.#traits[name] === value) return;
    this.#traits[name] = value;
    const scene = this.#recording.scenes[this.#scene];
    if (name === "colour_by" && scene !== undefined) {
      this.#traits.colours = coloursOf(scene, this.#traits.colour_by);
      this.#tell("change:colours");
    }
    this.#tell(`change:${name}`);
  }

  save_changes(): void {}

  /** Answers after the call, as a kernel does. */
  send(command: Command): void {
    queueMicrotask(() => this.#answer(command));
  }

  on(event: string, listener: Listener): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  off(event: string, listener: Listener): void {
    this.#listeners.get(event)?.delete(listener);
  }

  #answer(command: Command): void {
    const { id } = command;
    try {
      const { reply, buffers, scene, selected } = answerFrom(this.#recording, command, this.#scene);
      if (scene !== undefined) this.#show(scene);
      if (selected !== undefined) this.set("selected", selected);
      this.#tell("msg:custom", { id, reply }, buffers);
    } catch (error) {
      if (!(error instanceof NotRecordedError)) throw error;
      this.#tell("msg:custom", { id, error: error.message }, []);
    }
  }

  #show(number: number): void {
    const scene = this.#recording.scenes[number];
    if (scene === undefined || number === this.#scene) return;
    this.#scene = number;
    // All before the first is told: the picture and what is known of it belong together.
    Object.assign(this.#traits, scene, { colours: coloursOf(scene, this.#traits.colour_by) });
    for (const name of Object.keys(scene)) this.#tell(`change:${name}`);
  }

  #tell(event: string, ...values: unknown[]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(...values);
  }
}

function coloursOf({ colours }: RecordedSceneWire, by: string): ColoursWire {
  const found = Object.hasOwn(colours, by) ? colours[by] : undefined;
  if (found === undefined) throw new Error(`The recording has no colours by ${by}.`);
  return found;
}
