/** Puts text on the clipboard, from wherever the page was served. */

/**
 * True if the text is on the clipboard now.
 *
 * A page that came over plain http from another machine has no `navigator.clipboard`, and some hosts deny it;
 * there the browser's older copying of a selection still works, within a click.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const focused = document.activeElement;
  const area = document.body.appendChild(document.createElement("textarea"));
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
