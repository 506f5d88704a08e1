// The lab's pages, built into the Python package; `ostrom serve` hands them out.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { packed } from "./packed.js";

/** What the lab and the page of a session's participants share. */
const BASE = new RegExp(
  [
    String.raw`/svelte/`,
    String.raw`/src/(api|lib)/`,
    String.raw`/src/ui/(Button|Card|Copy|Dialog|LinkButton|SeatDot|Table|table)\b`,
    String.raw`/src/replay/words`,
    String.raw`/src/app\.css`,
    "vite/preload-helper",
  ].join("|"),
);

export default defineConfig({
  plugins: [svelte(), packed],
  base: "./",
  build: {
    outDir: "../src/ostrom/web/pages",
    license: { fileName: "licenses.json" },
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 1200,
    // Nothing inline: the pages' security policy allows files of their own place and nothing else.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // A build on a slow machine is no reason for a warning.
    rolldownOptions: {
      input: ["index.html", "join/index.html", "embed/index.html"],
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          // What several pages are made of is one file: on a slow line thirty small ones take longer than their bytes.
          // What replays a game is large, and a file of its own.
          // What participants of a session load is kept apart from what only the lab needs.
          groups: [
            { name: "base", test: BASE, minShareCount: 2, priority: 2 },
            { name: "participate", test: /\/pages\/participate\//, minShareCount: 2, priority: 1 },
            { name: "seat", test: /\/pages\/seat\//, minShareCount: 2, priority: 1 },
            { name: "parts", test: /\/src\/(?!replay\/|charts\/(draw|picture))/, minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
  // No test measures time, so a busy machine must not fail one.
  test: { include: ["src/**/*.test.ts"], environment: "node", testTimeout: 120_000 },
});
