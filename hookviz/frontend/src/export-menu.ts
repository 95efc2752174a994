/** Saves the picture, or all that is known, as a file. */

import { saveFile } from "./buffers";
import type { Context } from "./context";
import { button, html } from "./element";
import { rasterize } from "./rasterize";
import type { ExportCommand } from "./wire";

type Format = ExportCommand["format"];

const FORMATS: readonly { format: Format; name: string; hint: string }[] = [
  { format: "svg", name: "SVG", hint: "sharp at any size" },
  { format: "png", name: "PNG", hint: "for slides and messages" },
  { format: "dot", name: "DOT", hint: "Graphviz source" },
  { format: "html", name: "HTML", hint: "a page to look into, without kernel" },
  { format: "json", name: "JSON", hint: "structure and statistics for programs" },
];

export function mountExportMenu(el: HTMLElement, context: Context, signal: AbortSignal): void {
  const opener = button("Export", { "aria-haspopup": "menu", "aria-expanded": "false", "data-icon": "menu" });
  const menu = html("div", { class: "hv-menu", role: "menu", "aria-label": "Export", hidden: true });
  menu.append(
    ...FORMATS.map(({ format, name, hint }) => {
      const item = button(name, { role: "menuitem", "data-format": format, tabindex: -1 });
      item.append(html("small", { class: "hv-muted" }, hint));
      return item;
    }),
  );
  el.append(opener, menu);
  const items = [...menu.querySelectorAll<HTMLElement>("[role=menuitem]")];

  const setOpen = (isOpen: boolean): void => {
    menu.hidden = !isOpen;
    opener.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) items[0]?.focus();
  };
  opener.addEventListener("click", () => setOpen(menu.hidden !== false), { signal });
  menu.addEventListener(
    "click",
    (event) => {
      const item = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-format]") : null;
      if (item === null) return;
      setOpen(false);
      opener.focus();
      void save(context, item.dataset.format as Format);
    },
    { signal },
  );
  el.addEventListener(
    "focusout",
    (event) => {
      if (!(event.relatedTarget instanceof Node && el.contains(event.relatedTarget))) setOpen(false);
    },
    { signal },
  );
  // https://www.w3.org/WAI/ARIA/apg/patterns/menu-button/
  el.addEventListener(
    "keydown",
    (event) => {
      const at = items.findIndex((item) => item.matches(":focus"));
      if (event.key === "Escape" && !menu.hidden) {
        setOpen(false);
        opener.focus();
      } else if (event.key === "ArrowDown" && menu.hidden) setOpen(true);
      else if (event.key === "ArrowDown") items[(at + 1) % items.length]?.focus();
      else if (event.key === "ArrowUp") items.at(at - 1)?.focus();
      else return;
      event.preventDefault();
    },
    { signal },
  );
}

async function save(context: Context, format: Format): Promise<void> {
  if (format === "png" && (await saveDrawnHere(context))) return;
  const { kernel } = context;
  const answer = await kernel.request({ command: "export", format });
  const [buffer] = answer?.buffers ?? [];
  if (answer === null || buffer === undefined) return;
  saveFile(buffer, answer.reply.file_name, answer.reply.media_type);
}

/** Whether the PNG could be drawn and saved by this browser. */
async function saveDrawnHere({ kernel }: Context): Promise<boolean> {
  const answer = await kernel.request({ command: "export", format: "svg" });
  const [buffer] = answer?.buffers ?? [];
  const drawn = buffer === undefined ? null : await rasterize(buffer);
  if (answer === null || drawn === null) return false;
  saveFile(drawn, answer.reply.file_name.replace(/svg$/, "png"), "image/png");
  return true;
}
