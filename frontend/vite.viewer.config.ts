// The viewer as one file, beside the lab's pages: script and style inside, and a policy that allows these two and
// nothing else. Built after the pages, whose folder it shares.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

const LICENSES = "licenses-viewer.json";

async function hash(html: string, element: "script" | "style"): Promise<string> {
  const found = html.matchAll(new RegExp(`<${element}\\b([^>]*)>([\\s\\S]*?)</${element}>`, "g"));
  const inline = [...found].filter(([, attributes]) => !attributes!.includes("application/json"));
  if (inline.length !== 1) throw new Error(`the viewer should have one ${element}, not ${inline.length}`);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(inline[0]![2]));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

// Who saves a game as a page hands on the code of others, and with it their notices.
function notices(source: string): string {
  const packages = JSON.parse(source) as { name: string; version: string; text?: string }[];
  const texts = packages.map(({ name, version, text }) => `${name} ${version}\n\n${text ?? ""}`);
  return `<!--\nThis page contains code of Ostrom (Apache-2.0) and of:\n\n${texts.join("\n\n").replaceAll("--", "- -")}\n-->`;
}

function policy(): Plugin {
  return {
    name: "ostrom:policy",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_, bundle) {
        const page = bundle["viewer.html"];
        if (page?.type !== "asset") throw new Error("the viewer's page is missing");
        const licenses = bundle[LICENSES];
        if (licenses?.type !== "asset") throw new Error("the list of licences is missing");
        const html = String(page.source).replace(/\s*<\/html>\s*$/, () => `\n${notices(String(licenses.source))}\n</html>\n`);
        const rules = [
          "default-src 'none'",
          `script-src ${await hash(html, "script")}`,
          `style-src ${await hash(html, "style")}`,
          "img-src data:",
          "base-uri 'none'",
          "form-action 'none'",
        ].join("; ");
        page.source = html.replace(/<meta charset="utf-8" ?\/?>/, (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${rules}" />`);
      },
    },
  };
}

export default defineConfig({
  plugins: [svelte(), viteSingleFile({ removeViteModuleLoader: true }), policy()],
  base: "./",
  publicDir: false,
  build: {
    outDir: "../src/ostrom/web/pages",
    license: { fileName: LICENSES },
    emptyOutDir: false,
    target: "es2022",
    modulePreload: { polyfill: false },
    rolldownOptions: { input: "viewer.html", checks: { bundlerTimings: false } },
  },
});
