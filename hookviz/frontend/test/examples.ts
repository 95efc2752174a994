/** The messages of `tests/wire`, which the Python tests read too. */

import answersJson from "../../../tests/wire/answers.json";
import coloursJson from "../../../tests/wire/colours.json";
import commandsJson from "../../../tests/wire/commands.json";
import effectsJson from "../../../tests/wire/effects.json";
import exportJson from "../../../tests/wire/export.json";
import findJson from "../../../tests/wire/find.json";
import graphJson from "../../../tests/wire/graph.json";
import healthJson from "../../../tests/wire/health.json";
import historyJson from "../../../tests/wire/history.json";
import hooksJson from "../../../tests/wire/hooks.json";
import inspectionJson from "../../../tests/wire/inspection.json";
import nodeDataJson from "../../../tests/wire/node_data.json";
import pictureJson from "../../../tests/wire/picture.json";
import recordingJson from "../../../tests/wire/recording.json";
import statusJson from "../../../tests/wire/status.json";
import switchesJson from "../../../tests/wire/switches.json";
import type { ColoursWire } from "../src/colour-wire";
import type { FindWire } from "../src/find-wire";
import type { HealthWire } from "../src/health-wire";
import type { HistoryWire } from "../src/history-wire";
import type { HooksTabWire, HookWire } from "../src/hook-wire";
import type { PictureWire } from "../src/picture-wire";
import type { RecordingWire } from "../src/recording-wire";
import type { Command, ExportWire, GraphWire, InspectionWire, NodeDataWire, StatusWire, SwitchWire } from "../src/wire";

export const answers = answersJson;
export const commands = commandsJson as { [C in Command as C["command"]]: C };
/** Without colours; what can be chosen is there. */
export const colours: ColoursWire = { ...coloursJson, by: "", title: "", low: "", high: "", is_log: false, marks: {} };
export const coloured: ColoursWire = coloursJson;
export const exported: ExportWire = exportJson;
export const effects = effectsJson as HooksTabWire;
export const found = findJson as FindWire;
export const graph = graphJson as GraphWire;
export const health: HealthWire = healthJson;
export const history: HistoryWire = historyJson;
export const hooks = hooksJson as HookWire[];
export const inspection = inspectionJson as InspectionWire;
export const nodeData = nodeDataJson as Record<string, NodeDataWire>;
export const picture = pictureJson as PictureWire;
export const status = statusJson as StatusWire;
export const switches = switchesJson as SwitchWire[];
export const recording = recordingJson as unknown as RecordingWire;
