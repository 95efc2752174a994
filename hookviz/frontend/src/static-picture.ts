/**
 * Hides the static picture below a live view.
 *
 * Each display makes two outputs: the widget, and a picture that outlives the kernel. Where the widget
 * lives, the picture would only repeat it; when the view goes, the picture is shown again.
 */

const OUTPUT = ".jp-OutputArea-child";

/** Class of the root of our pictures; another library's picture that happens to follow is left alone. */
const MARK = "hv-static";

export function hideStaticPicture(el: HTMLElement, signal: AbortSignal): void {
  let hidden: HTMLElement | null = null;
  let watched: Element | null = null;

  const show = (): void => {
    if (hidden !== null) hidden.style.display = "";
    hidden = null;
  };
  const update = (output: Element): void => {
    const next = output.nextElementSibling;
    if (next !== watched) {
      inside.disconnect();
      // What changes in the view itself, a thousand texts ten times a second, is none of our business.
      if (next !== null) inside.observe(next, { childList: true, subtree: true });
      watched = next;
    }
    const picture = next instanceof HTMLElement && isOurPicture(next) ? next : null;
    // An update of the picture may replace its output, and the old one may come to stand for something else.
    if (picture !== hidden) show();
    if (picture === null) return;
    hidden = picture;
    if (picture.style.display !== "none") picture.style.display = "none";
  };

  const look = (): void => {
    const output = el.closest(OUTPUT);
    if (output !== null) update(output);
  };
  const beside = new MutationObserver(look);
  const inside = new MutationObserver(look);
  const start = (output: Element): void => {
    update(output);
    if (output.parentElement !== null) beside.observe(output.parentElement, { childList: true });
  };
  whenAttached(el, start, signal);
  signal.addEventListener(
    "abort",
    () => {
      beside.disconnect();
      inside.disconnect();
      show();
    },
    { once: true },
  );
}

/** A restored view is rendered before its output is put into the page. */
function whenAttached(el: HTMLElement, start: (output: Element) => void, signal: AbortSignal): void {
  const attempt = (): void => {
    if (signal.aborted) return;
    if (!el.isConnected) {
      requestAnimationFrame(attempt);
      return;
    }
    const output = el.closest(OUTPUT);
    // Hosts other than JupyterLab and Notebook have no such outputs: there is nothing to wait for.
    if (output !== null) start(output);
  };
  attempt();
}

function isOurPicture(output: Element): boolean {
  const inline = output.querySelector(`[data-mime-type="image/svg+xml"] svg.${MARK}`);
  if (inline !== null) return true;
  // JupyterLab shows an SVG as an image whose address holds the whole source.
  const image = output.querySelector<HTMLImageElement>('[data-mime-type="image/svg+xml"] img');
  return image !== null && markedSource(image.src);
}

/** Whether the root element of an SVG in a data address carries our class. */
export function markedSource(address: string): boolean {
  const [head = "", content = ""] = address.split(/,(.*)/s, 2);
  if (!head.startsWith("data:image/svg+xml")) return false;
  const source = head.endsWith(";base64") ? atob(content) : decodeURIComponent(content);
  const [root = ""] = /<svg\b[^>]*>/.exec(source) ?? [];
  return new RegExp(`class=["'][^"']*\\b${MARK}\\b`).test(root);
}
