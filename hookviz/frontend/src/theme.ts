/** Follows the host's colour scheme, so that colours without a Jupyter variable fit it too. */

import { type ReadonlySignal, Signal } from "@preact/signals-core";

export type Scheme = "light" | "dark";

/** Where the host says nothing, the system's preference stands. */
export function schemeOf(body: HTMLElement, prefersDark: boolean): Scheme {
  const jupyter = body.dataset.jpThemeLight;
  if (jupyter !== undefined) return jupyter === "false" ? "dark" : "light";
  if (body.matches(".vscode-dark, .vscode-high-contrast")) return "dark";
  if (body.matches(".vscode-light")) return "light";
  const colab = body.ownerDocument.documentElement.getAttribute("theme");
  if (colab !== null) return colab === "dark" ? "dark" : "light";
  return prefersDark ? "dark" : "light";
}

/** Writes the scheme onto the view's root as `data-scheme`, which the style sheet reads. */
export function followTheme(root: HTMLElement, signal: AbortSignal): ReadonlySignal<Scheme> {
  const preference = window.matchMedia("(prefers-color-scheme: dark)");
  const scheme = new Signal<Scheme>("light");
  const update = () => {
    const now = schemeOf(document.body, preference.matches);
    // Whoever follows the signal reads colours from the style sheet, which must have changed by then.
    root.dataset.scheme = now;
    scheme.value = now;
  };
  update();
  preference.addEventListener("change", update, { signal });
  const observer = new MutationObserver(update);
  observer.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["theme"] });
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });
  return scheme;
}
