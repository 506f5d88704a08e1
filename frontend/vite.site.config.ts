// What `ostrom publish` puts beside its files: the pages as one plain script and the drawing of charts as another, since
// a browser loads no modules from disk. The part is named by the mode: --mode pages, --mode drawing.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const PARTS: Record<string, { input: string; file: string }> = {
  pages: { input: "src/site.ts", file: "pages.js" },
  drawing: { input: "src/site/drawing.ts", file: "draw.js" },
};

/** Files in whose place others stand: requests are answered from files. */
function stood(): Plugin {
  const instead: Record<string, string> = { "/src/api/client.ts": "/src/site/client.ts", "/src/charts/load.ts": "/src/site/load.ts" };
  return {
    name: "ostrom:site",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.startsWith(".") || importer === undefined || importer.includes("/src/site/")) return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      const other = Object.keys(instead).find((one) => found?.id.endsWith(one));
      return found && other ? found.id.replace(other, instead[other]!) : null;
    },
  };
}

export default defineConfig(({ mode }) => {
  const part = PARTS[mode] ?? PARTS.pages!;
  return {
    plugins: [svelte(), stood()],
    publicDir: false,
    define: { "process.env.NODE_ENV": '"production"', "import.meta.resolve": "undefined", "import.meta.url": '""' },
    build: {
      outDir: "../src/ostrom/web/pages/site",
      license: { fileName: `licenses-${mode}.json` },
      emptyOutDir: false,
      target: "es2022",
      modulePreload: false,
      chunkSizeWarningLimit: 1200,
      assetsInlineLimit: 0,
      cssCodeSplit: false,
      rolldownOptions: {
        input: part.input,
        output: { format: "iife", entryFileNames: part.file, assetFileNames: "pages[extname]", codeSplitting: false },
        checks: { bundlerTimings: false },
      },
    },
  };
});
