/**
 * Bundles src/ into what Python reads: the widget as one ES module without imports, the page of a recording
 * as one script, and a style sheet for each.
 */
import { build } from "esbuild";

const common = {
  outdir: "../widget/static",
  bundle: true,
  // The oldest browsers that have all of what the style sheet uses (color-mix, container units).
  target: ["chrome111", "firefox113", "safari16.4"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "info",
};

await build({ ...common, entryPoints: { widget: "src/widget.ts" }, format: "esm" });
await build({ ...common, entryPoints: { page: "src/page.ts" }, format: "iife" });
