/** The types of `hookviz/widget/history_wire.py`, spelled alike. */

export type Plotted = "output" | "gradient" | "zeros" | "update";

/**
 * One line: its numbers come as a buffer of float64, row by row.
 *
 * The rows are steps and values; of outputs means and, below them, standard deviations. NaN is a value that was
 * not a number; a deviation may also be one that is not defined.
 */
export interface HistoryLineWire {
  plotted: Plotted;
  /** Position of its training in `marks`. */
  mark: number;
  /** How many runs it has, at least one. */
  count: number;
}

/** Reply to `history`; there are as many buffers as lines. */
export interface HistoryWire {
  node_id: string;
  /** The names of the trainings, oldest first; the runs before the first mark have an empty one. */
  marks: string[];
  /** The step with which each of them began. */
  first_steps: number[];
  lines: HistoryLineWire[];
}

export interface HistoryCommand {
  id: number;
  command: "history";
  node_id: string;
}
