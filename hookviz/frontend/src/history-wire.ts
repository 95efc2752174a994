/** The types of `hookviz/widget/history_wire.py`, spelled alike. */

/**
 * Reply to `history`: its numbers come as two buffers of float64, row by row.
 *
 * The first has the rows step, mean and standard deviation of the output, the second step and norm of its
 * gradient. NaN is a value that was not a number; a deviation may also be one that is not defined.
 */
export interface HistoryWire {
  node_id: string;
  /** How many runs the first buffer has. */
  outputs: number;
  /** How many runs the second one has. */
  gradients: number;
}

export interface HistoryCommand {
  id: number;
  command: "history";
  node_id: string;
}
