/** A vector or a row as a curve; the value at the pointer is read out. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";
import { html, svg } from "./element";
import { follow } from "./lifetime";
import { curveOf, pointAt, pointPosition } from "./line-geometry";
import { formatNumber } from "./numbers";
import { cellName, type Picture } from "./picture";
import { createReadingLine } from "./reading-line";
import { readingText, valueText } from "./value-text";

const WIDTH = 300;
const HEIGHT = 96;
/** Of so few values each has a dot. */
const FEW = 60;
const EDGE = 4;

/** A screen reader then leaves the arrow keys to the curve. */
const FRAME = { class: "hv-line-frame", role: "application", "aria-label": "Values, read by arrow keys" };

export function mountLinePlot(
  el: HTMLElement,
  picture: ReadonlySignal<Picture | null>,
  dtype: ReadonlySignal<string>,
  signal: AbortSignal,
): void {
  const plot = svg("svg", {
    class: "hv-line-plot",
    viewBox: `${-EDGE} ${-EDGE} ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`,
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  const guide = svg("line", { class: "hv-line-guide", y1: 0, y2: HEIGHT });
  const stage = html("div", { class: "hv-line-stage", role: "img", tabindex: 0 }, plot);
  const scale = html("div", { class: "hv-line-scale hv-muted" }, html("span"), html("span"));
  const ends = html("div", { class: "hv-line-ends hv-muted" }, html("span"), html("span"));
  const reading = createReadingLine();
  el.append(reading.el, html("div", FRAME, scale, stage), ends);
  const pointed = new Signal<number | null>(null);

  follow(signal, () => {
    const shown = picture.value;
    el.hidden = shown === null;
    if (shown === null) return;
    const { columns } = shown.wire;
    const curve = curveOf(shown, { width: WIDTH, height: HEIGHT });
    const isFew = columns <= FEW && !curve.isBand;
    plot.replaceChildren(
      ...(curve.zero === null
        ? []
        : [svg("line", { class: "hv-line-zero", x1: 0, x2: WIDTH, y1: curve.zero, y2: curve.zero })]),
      ...curve.marks.map((x) => svg("line", { class: "hv-line-bad", x1: x, x2: x, y1: 0, y2: HEIGHT })),
      svg("path", { class: curve.isBand ? "hv-line-band" : "hv-line", d: curve.path, "data-dots": isFew }),
      ...(isFew ? [svg("path", { class: "hv-line-dots", d: dots(curve.path) })] : []),
      guide,
    );
    const hasAny = curve.low <= curve.high;
    write(scale, hasAny ? formatNumber(curve.high) : "", hasAny ? formatNumber(curve.low) : "");
    write(ends, nameOf(shown, 0), nameOf(shown, columns - 1));
    stage.setAttribute("aria-label", `Curve of ${columns} values; arrow keys read single values`);
  });
  follow(signal, () => {
    const shown = picture.value;
    const point = pointed.value;
    const isThere = shown !== null && point !== null && point < shown.wire.columns;
    guide.toggleAttribute("hidden", !isThere);
    reading.read(isThere ? pointText(shown, point, dtype.value) : "", "Point at the curve to read it.");
    if (!isThere) return;
    const x = pointPosition(point, shown.wire.columns, WIDTH);
    guide.setAttribute("x1", String(x));
    guide.setAttribute("x2", String(x));
  });

  stage.addEventListener(
    "pointermove",
    (event) => {
      const box = plot.getBoundingClientRect();
      const across = ((event.clientX - box.left) / Math.max(box.width, 1)) * (1 + (2 * EDGE) / WIDTH) - EDGE / WIDTH;
      pointed.value = picture.peek() === null ? null : pointAt(across, picture.peek()?.wire.columns ?? 1);
    },
    { signal },
  );
  for (const gone of ["pointerleave", "blur"]) {
    stage.addEventListener(gone, () => (pointed.value = null), { signal });
  }
  stage.addEventListener(
    "keydown",
    (event) => {
      const last = (picture.peek()?.wire.columns ?? 0) - 1;
      const at = pointed.peek();
      const to = {
        ArrowLeft: (at ?? 1) - 1,
        ArrowRight: (at ?? -1) + 1,
        Home: 0,
        End: last,
      }[event.key];
      if (to === undefined || last < 0) return;
      event.preventDefault();
      pointed.value = Math.min(last, Math.max(0, to));
    },
    { signal },
  );
}

function write(el: HTMLElement, first: string, second: string): void {
  for (const [i, text] of [first, second].entries()) {
    const part = el.children[i];
    if (part !== undefined) part.textContent = text;
  }
}

function nameOf({ wire }: Picture, column: number): string {
  return cellName({ tile: 0, row: 0, column }, wire);
}

/** `[12] = 0.5`, or what a stretch of a long line lies between. */
export function pointText(shown: Picture, point: number, dtype: string): string {
  const { wire, values } = shown;
  if (wire.rows === 1) return readingText(shown, { tile: 0, row: 0, column: point }, dtype);
  const text = (row: number) => valueText(values[row * wire.columns + point] ?? Number.NaN, wire, dtype);
  const from = nameOf(shown, point);
  return `${wire.column_step} values from ${from}: ${text(0)} to ${text(1)}`;
}

/** Each point of a path as a line of no length, which round ends make a dot. */
function dots(path: string): string {
  return (path.match(/-?[\d.]+ -?[\d.]+/g) ?? []).map((point) => `M${point}L${point}`).join("");
}
