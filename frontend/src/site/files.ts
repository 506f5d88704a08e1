// Files of a published site as scripts, the one way in which a page reads files both from disk and from a server. Each
// calls `ostrom` with its name and a table of answers, packed: whatever players wrote is data in it, never script.
import { ApiError } from "../api/client";

type Answers = Record<string, string>;

const given = new Map<string, string>();
const read = new Map<string, Promise<Answers>>();

Object.assign(window, { ostrom: (name: string, packed: string) => void given.set(name, packed) });

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

/** The answers of a file, read once. */
export function answers(address: string): Promise<Answers> {
  let found = read.get(address);
  if (!found) {
    found = opened(address);
    read.set(address, found);
    found.catch(() => read.delete(address));
  }
  return found;
}

async function opened(address: string): Promise<Answers> {
  await script(address);
  const name = address.split("/").at(-1)!.replace(".js", "");
  const bytes = Uint8Array.from(atob(given.get(name) ?? ""), (sign) => sign.charCodeAt(0));
  given.delete(name);
  const text = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  return JSON.parse(text) as Answers;
}
