// The files of a published site are scripts, because only scripts can be read both from disk and from a server. Each
// script calls `ostrom` with the name of the file and encoded replies. So players' texts are data and are never
// executed.
import { ApiError } from "../api/client";

type Answers = Record<string, string>;

const received = new Map<string, string>();
const loading = new Map<string, Promise<Answers>>();

Object.assign(window, { ostrom: (name: string, packed: string) => void received.set(name, packed) });

/** Load a script of this site. */
export function script(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    element.src = address;
    element.onload = () => (element.remove(), resolve());
    element.onerror = () => (element.remove(), reject(new ApiError(404, "This is not part of the published site.")));
    document.head.append(element);
  });
}

/** Return the replies in a file. Each file is read only once. */
export function answers(address: string): Promise<Answers> {
  let pending = loading.get(address);
  if (!pending) {
    pending = readFile(address);
    loading.set(address, pending);
    pending.catch(() => loading.delete(address));
  }
  return pending;
}

async function readFile(address: string): Promise<Answers> {
  await script(address);
  const name = address.split("/").at(-1)!.replace(".js", "");
  const bytes = Uint8Array.from(atob(received.get(name) ?? ""), (sign) => sign.charCodeAt(0));
  received.delete(name);
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  return JSON.parse(text) as Answers;
}
