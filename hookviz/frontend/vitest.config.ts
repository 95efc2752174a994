import { defineConfig } from "vitest/config";

export default defineConfig({
  // Some tests read what they share with Python.
  server: { fs: { allow: ["../.."] } },
  test: {
    include: ["test/**/*.test.ts"],
    environment: "jsdom",
    setupFiles: ["test/browser.ts"],
    // The style sheet is the bundler's; what it looks like is tested in a real browser.
    css: false,
    restoreMocks: true,
  },
});
