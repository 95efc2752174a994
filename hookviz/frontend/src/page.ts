/** A recording as a page of its own: `session.export("model.html")` writes the data, and this shows it. */

import { html } from "./element";
import { RecordedModel } from "./recorded-model";
import type { RecordingWire } from "./recording-wire";
import "./styles/page.css";
import widget from "./widget";

/** The element whose text is the recording, written by `hookviz/widget/page.py`. */
const DATA = "hookviz-recording";

/** Mounts the widget on the recording in the page; the view lasts as long as the signal. */
export function openPage(body: HTMLElement, signal: AbortSignal): void {
  const data = body.ownerDocument.getElementById(DATA)?.textContent;
  if (data === undefined || data === null) return;
  const el = body.appendChild(html("main"));
  const model = new RecordedModel(JSON.parse(data) as RecordingWire);
  el.append(html("h1", { class: "hv-unseen" }, body.ownerDocument.title));
  // Of what anywidget hands over, the view takes these three.
  widget.render({ model: model.asModel, el, signal } as Parameters<typeof widget.render>[0]);
}

openPage(document.body, new AbortController().signal);
