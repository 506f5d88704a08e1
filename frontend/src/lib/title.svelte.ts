import { clean } from "./format";

/** The document's title; must be called while a page is set up. Names in it may come from anybody. */
export function titled(words: () => string): void {
  $effect(() => {
    const text = clean(words());
    document.title = text ? `${text} · Ostrom` : "Ostrom";
  });
}
