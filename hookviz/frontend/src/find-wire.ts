/** The types of `hookviz/widget/find_wire.py`, spelled alike. */

export interface HitWire {
  /** Of an operation the path of the module around it. */
  path: string;
  node_id: string;
  name: string;
  type_name: string;
  /** Of its output, empty text where nothing ran yet. */
  shape: string;
  matched: "path" | "class" | "operation" | "shape";
}

/** Reply to `find`: how many there are, and the nearest 50 of them. */
export interface FindWire {
  total: number;
  hits: HitWire[];
}

export interface FindCommand {
  id: number;
  command: "find";
  text: string;
}
