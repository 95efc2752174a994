/** The live lines of all cards, from one buffer of numbers and a few words; see `hookviz/widget/card_lines.py`. */

import type { CardWordsWire, GraphWire, NodeDataWire, NodeState } from "./graph-wire";

/** What a card shows of which nothing is known. */
export const NOTHING: NodeDataWire = { state: "idle", spark: "", value: "", gradient: "", trouble: "", note: "" };

export type CardLines = Readonly<Record<string, NodeDataWire>>;

/** By their numbers in Python's `NodeState`. */
const STATES: readonly NodeState[] = ["idle", "captured", "off", "failed", "unobservable"];
const HAS_MEAN = 1;
const HAS_STD = 2;
const HAS_NORM = 4;
const HAS_SPARK = 8;
const BLOCKS = 8;
const NUMBERS = 2 + BLOCKS;
const ROW_BYTES = NUMBERS + 3 * Float64Array.BYTES_PER_ELEMENT;
const VALUE_COLUMNS = 19;
const LOWEST_BLOCK = 0x2581;

/** What the traits held when the lines were made. */
interface Source {
  graph: GraphWire;
  numbers: DataView | undefined;
  words: Readonly<Record<string, CardWordsWire>>;
}

/** Writes the lines anew where they changed; lines that did not are the same object as before. */
export class CardLineReader {
  #source: Source | null = null;
  #lines: CardLines = {};

  read(graph: GraphWire, numbers: DataView | undefined, words: Readonly<Record<string, CardWordsWire>>): CardLines {
    const before = this.#source;
    if (before?.graph === graph && before.numbers === numbers && before.words === words) return this.#lines;
    const after = { graph, numbers, words };
    this.#lines = linesOf(after, before?.graph === graph ? before : null, this.#lines);
    this.#source = after;
    return this.#lines;
  }
}

function linesOf({ graph, numbers, words }: Source, before: Source | null, known: CardLines): CardLines {
  // A recording has all lines as words, and no numbers.
  if (numbers === undefined || numbers.byteLength === 0) {
    return Object.fromEntries(Object.entries(words).map(([id, said]) => [id, { ...NOTHING, ...said }]));
  }
  const lines: Record<string, NodeDataWire> = {};
  let at = 0;
  for (const { id } of [...graph.nodes, ...graph.groups]) {
    const old = known[id];
    const isSame =
      before !== null &&
      old !== undefined &&
      isSameRow(numbers, before.numbers, at) &&
      isSaid(words[id], before.words[id]);
    lines[id] = isSame ? old : { ...rowLines(numbers, at), ...words[id] };
    at += ROW_BYTES;
  }
  return lines;
}

function isSameRow(after: DataView, before: DataView | undefined, at: number): boolean {
  if (before?.byteLength !== after.byteLength) return false;
  for (let i = at; i < at + ROW_BYTES; i += 1) if (after.getUint8(i) !== before.getUint8(i)) return false;
  return true;
}

function isSaid(after: CardWordsWire = {}, before: CardWordsWire = {}): boolean {
  return (
    after === before ||
    (after.value === before.value &&
      after.gradient === before.gradient &&
      after.trouble === before.trouble &&
      after.note === before.note)
  );
}

function rowLines(numbers: DataView, at: number): NodeDataWire {
  if (at + ROW_BYTES > numbers.byteLength) return NOTHING;
  const there = numbers.getUint8(at + 1);
  const number = (index: number) => numbers.getFloat64(at + NUMBERS + index * Float64Array.BYTES_PER_ELEMENT, true);
  const std = there & HAS_STD ? ` ±${threeDigits(number(1))}` : "";
  return {
    ...NOTHING,
    state: STATES[numbers.getUint8(at)] ?? "idle",
    spark: there & HAS_SPARK ? sparkOf(numbers, at + 2) : "",
    value: there & HAS_MEAN ? `${withSign(number(0))}${std}`.padEnd(VALUE_COLUMNS) : "",
    gradient: there & HAS_NORM ? `∇ ${threeDigits(number(2))}` : "",
  };
}

function sparkOf(numbers: DataView, at: number): string {
  const heights = Array.from({ length: BLOCKS }, (_, block) => LOWEST_BLOCK + numbers.getUint8(at + block));
  return String.fromCodePoint(...heights);
}

function withSign(value: number): string {
  return value > 0 || Object.is(value, 0) ? `+${threeDigits(value)}` : threeDigits(value);
}

/** As Python's `f"{value:.2e}"`: a tie goes to the even digit, and the exponent has at least two digits. */
export function threeDigits(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "Inf" : "-Inf";
  const size = Math.abs(value);
  const [digits = "", exponent = ""] = (evenOfTie(size) ?? size.toExponential(2)).split("e");
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return `${sign}${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
}

/** A number that lies in the middle above three digits of which the last is even, as these; else null. */
function evenOfTie(size: number): string | null {
  // Two numbers of 64 bits differ by the seventeenth digit.
  const exact = /^(\d\.\d[02468])50{20}(e.*)$/.exec(size.toExponential(23));
  return exact === null ? null : `${exact[1]}${exact[2]}`;
}
