/** Bundles src/ into the two files that the widget loads: one ES module without imports, one style sheet. */
import { build } from "esbuild";

await build({
  entryPoints: { widget: "src/widget.ts" },
  outdir: "../widget/static",
  bundle: true,
  format: "esm",
  // The oldest browsers that have all of what the style sheet uses (color-mix, container units).
  target: ["chrome111", "firefox113", "safari16.4"],
  minify: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "info",
});
