/** What the help tells: the keys, what the mouse does, and the signs on a card. */

export type Tone = "value" | "gradient" | "parameter" | "trouble" | "";

/** A sign as it stands in the picture, its tone, and what it means. */
export const SIGNS: readonly [sign: string, tone: Tone, meaning: string][] = [
  ["▁▃█▂▁", "value", "histogram of what the module returned"],
  ["+1.20e-02", "value", "its mean"],
  ["±5.70e-01", "value", "its standard deviation"],
  ["∇ 3.10e-03", "gradient", "Euclidean norm of the gradient with respect to it"],
  ["red", "trouble", "NaN, Inf, or the module that raised; the card says which"],
  ["8×16", "", "shape of the tensor on its way, where it changes"],
  ["×3", "", "called three times in one run; the last call is shown"],
  ["×48 alike", "", "identical siblings in one card; to unfold it takes out the first"],
  ["→● clip", "value", "a hook before forward(), on what enters"],
  ["● record", "value", "a hook after forward(), on what leaves; ○ where it is off"],
  ["∇● scale", "gradient", "a hook on gradients"],
  ["● mask", "parameter", "a hook on a parameter"],
];

/** One key or several that do the same; what they do where the focus is. */
type KeyLine = readonly [keys: readonly string[], effect: string];

export const KEYS: readonly { place: string; lines: readonly KeyLine[] }[] = [
  {
    place: "Everywhere",
    lines: [
      [["?"], "this help"],
      [["/"], "find by path, class, operation or shape"],
      [["d"], "go to the diagram"],
      [["h"], "go to the hooks"],
      [["i"], "go to the inspector, and look into the card that has the focus"],
      [["[", "]"], "the captured step before, the next one"],
      [["l"], "back to live: follow the newest step"],
      [["Esc"], "close what is open, and go back to the diagram"],
    ],
  },
  {
    place: "In the diagram",
    lines: [
      [["↑", "↓", "←", "→"], "go along the edges; ← goes out to what encloses a card"],
      [["Home", "End"], "the first card, the last"],
      [["Enter"], "select, and look inside"],
      [["Space"], "fold, unfold"],
      [["Tab"], "the hooks of the card"],
      [["Backspace"], "back to the layout before"],
      [["+", "−", "0", "f"], "larger, smaller, 100 %, fit"],
      [["z"], "zoom to what is selected"],
      [["t"], "turn: let data flow down, or to the right"],
    ],
  },
  {
    place: "On a hook of a card",
    lines: [
      [["Space"], "switch it off or on; one that stands for several shows them in the list"],
      [["←", "→"], "the hooks beside it"],
      [["↑"], "back to the card"],
    ],
  },
  {
    place: "In the list of hooks",
    lines: [
      [["↑", "↓"], "from line to line"],
      [["←", "→"], "from the switch to the words, which select the module"],
      [["Space"], "switch, select or remove"],
    ],
  },
  {
    place: "In the inspector",
    lines: [
      [["←", "→"], "the other tabs"],
      [["↑", "↓", "←", "→"], "on a picture or a history: read single values"],
    ],
  },
];

export const MOUSE: readonly KeyLine[] = [
  [["click"], "a card: look inside; a hook: switch it"],
  [["double click"], "fold, unfold"],
  [["drag", "wheel"], "move the picture"],
  [["Ctrl + wheel"], "zoom"],
];
