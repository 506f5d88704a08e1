// A plugin of the build: what `ostrom serve` hands out packed.
import { brotliCompressSync, gzipSync } from "node:zlib";

/** What is smaller than this gains nothing. */
const WORTH_PACKING = 1024;

/** Every script and style sheet also packed as well as can be, once and here, in place of on the way to each reader.
 *  @type {import("vite").Plugin} */
export const packed = {
  name: "packed",
  apply: "build",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        const content = Buffer.from(file.type === "chunk" ? file.code : file.source);
        if (!/\.(js|css)$/.test(fileName) || content.length < WORTH_PACKING) continue;
        this.emitFile({ type: "asset", fileName: `${fileName}.br`, source: brotliCompressSync(content) });
        this.emitFile({ type: "asset", fileName: `${fileName}.gz`, source: gzipSync(content, { level: 9 }) });
      }
    },
  },
};
