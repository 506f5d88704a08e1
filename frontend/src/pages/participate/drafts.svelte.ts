// Input that was not sent yet, kept for this tab, so that a reload loses nothing.
import { draftKey, readDraft, storeDraft } from "../seat/draft";
import type { Entries } from "./entries";

export class Draft {
  entries = $state<Entries>({});
  readonly #key: string;

  constructor(token: string, page: string) {
    this.#key = draftKey(token, `page-${page}`);
    this.entries = readDraft(this.#key);
  }

  enter(name: string, value: string): void {
    this.entries[name] = value;
    storeDraft(this.#key, $state.snapshot(this.entries));
  }

  clear(): void {
    this.entries = {};
    storeDraft(this.#key, {});
  }
}
