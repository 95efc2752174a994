/** What crosses of the colours: the types of `hookviz/widget/colour_wire.py`, spelled alike; see `wire.ts`. */

/** One of the numbers that cards can be coloured by. */
export interface ColourChoiceWire {
  by: string;
  title: string;
  explanation: string;
}

/** What a card gets. */
export interface MarkWire {
  /** Its number. */
  text: string;
  /** From 0 to 1, on the scale; null where there is only the text. */
  place: number | null;
}

/** Trait `colours`. */
export interface ColoursWire {
  /** Empty where there are no colours. */
  by: string;
  title: string;
  /** The number at the beginning of the scale; empty if no card has one. */
  low: string;
  high: string;
  is_log: boolean;
  /** Why no card has a number, else empty. */
  note: string;
  /** By node or group id. */
  marks: Record<string, MarkWire>;
  /** The scale on light paper, from its beginning to its end. */
  light: string[];
  dark: string[];
  choices: ColourChoiceWire[];
}
