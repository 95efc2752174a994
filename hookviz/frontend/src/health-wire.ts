/** The types of `hookviz/widget/health_wire.py`, spelled alike. */

/** One thing that looks wrong. */
export interface FindingWire {
  /** Of the module's card, which may be folded away. */
  node_id: string;
  path: string;
  module: string;
  symptom: string;
  step: number;
  sentence: string;
  /** False for what is so on purpose. */
  is_alarm: boolean;
}

/** Trait `health`: what looks wrong, the most suspicious first, and the way of the first NaN or infinity. */
export interface HealthWire {
  findings: FindingWire[];
  way_nodes: string[];
  way_edges: string[];
  /** What is judged from how many captured runs on; empty where none was, and for a past step. */
  note: string;
}
