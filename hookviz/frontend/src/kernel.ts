/** The one place that talks to Python: sends commands, hands back their answers. */

import type { AnyModel } from "@anywidget/types";
import { Signal } from "@preact/signals-core";
import type { Connection } from "./connection";
import type { AnswerWire, Command, Replies, Traits } from "./wire";

type WithoutId<C> = C extends { id: number } ? Omit<C, "id"> : never;

/** A command that has not been given its id yet. */
export type Request = WithoutId<Command>;

export interface Answer<R> {
  reply: R;
  buffers: DataView[];
}

interface Pending {
  /** Where a newer request stands for the same thing, the older one's answer is dropped. */
  topic: string | undefined;
  /** Takes an error in the place of `problem`. */
  tell: ((problem: string) => void) | undefined;
  settle(answer: Answer<unknown> | null): void;
}

/** How long a request may stay unanswered before the user is told that the kernel is busy. */
export const PATIENCE_MS = 2000;

export const NO_KERNEL = "There is no kernel to answer. Run the cell again to watch the model anew.";

export class Kernel {
  /** A request has waited longer than `PATIENCE_MS`. */
  readonly isWaiting = new Signal(false);
  /** What went wrong last, as a sentence to show; empty text if nothing or dismissed. */
  readonly problem = new Signal("");

  readonly #model: AnyModel<Traits>;
  readonly #connection: Connection;
  readonly #pending = new Map<number, Pending>();
  #patience: ReturnType<typeof setTimeout> | undefined;
  // Answers reach every page that shows the model, so the ids of two pages must not meet.
  #lastId = Math.floor(Math.random() * 2 ** 30) * 2 ** 20;

  constructor(model: AnyModel<Traits>, connection: Connection, signal: AbortSignal) {
    this.#model = model;
    this.#connection = connection;
    const receive = (message: unknown, buffers: DataView[]) => this.#receive(message, buffers);
    model.on("msg:custom", receive);
    const unsubscribe = connection.isConnected.subscribe((connected) => {
      if (!connected) this.#abandon();
    });
    signal.addEventListener(
      "abort",
      () => {
        model.off("msg:custom", receive);
        unsubscribe();
        this.#abandon();
      },
      { once: true },
    );
  }

  /**
   * Asks Python to do something.
   *
   * Gives null where there is no answer to act on: Python answered with an error (then `problem` tells it),
   * the view or the kernel went, or a newer request on the same topic made this one stale. Who can show an
   * error better than `problem` does takes it by `tell`.
   */
  request<R extends Request>(
    request: R,
    topic?: string,
    tell?: (problem: string) => void,
  ): Promise<Answer<Replies[R["command"]]> | null> {
    if (!this.#connection.isConnected.peek()) {
      this.problem.value = NO_KERNEL;
      return Promise.resolve(null);
    }
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#pending.set(id, {
        topic,
        tell,
        // What a command is answered with is fixed by the wire's contract, which tests hold on both sides.
        settle: (answer) => resolve(answer as Answer<Replies[R["command"]]> | null),
      });
      this.#patience ??= setTimeout(() => {
        this.isWaiting.value = true;
      }, PATIENCE_MS);
      if (topic !== undefined) this.#dropOlder(topic, id);
      // That it cannot be sent ends the connection, and with it all requests that wait.
      if (!this.#connection.attempt(() => this.#model.send({ id, ...request }))) this.problem.value = NO_KERNEL;
    });
  }

  #receive(message: unknown, buffers: DataView[]): void {
    if (!isAnswer(message)) return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#settle(message.id, pending, "error" in message ? null : { reply: message.reply, buffers });
    if (!("error" in message)) return;
    if (pending.tell !== undefined) pending.tell(message.error);
    else this.problem.value = message.error;
  }

  #settle(id: number, pending: Pending, answer: Answer<unknown> | null): void {
    this.#pending.delete(id);
    if (this.#pending.size === 0) {
      clearTimeout(this.#patience);
      this.#patience = undefined;
      this.isWaiting.value = false;
    }
    pending.settle(answer);
  }

  #dropOlder(topic: string, newest: number): void {
    for (const [id, pending] of this.#pending) {
      if (pending.topic === topic && id !== newest) this.#settle(id, pending, null);
    }
  }

  #abandon(): void {
    for (const [id, pending] of this.#pending) this.#settle(id, pending, null);
  }
}

function isAnswer(message: unknown): message is AnswerWire {
  return (
    typeof message === "object" &&
    message !== null &&
    "id" in message &&
    typeof message.id === "number" &&
    ("reply" in message || ("error" in message && typeof message.error === "string"))
  );
}
