// The notes of a game. They come from the server or, on a published site, from the record.
import { change, get, post, published } from "../../api/client";
import type { NoteList } from "../../api/types";
import { load } from "../../lib/loaded.svelte";
import type { Note, NoteKeeper } from "../../replay/record";

class GameNotes {
  #path: string;
  #changed = $state.raw<NoteList | null>(null);
  #loaded;
  #recorded: () => Note[];

  constructor(id: string, recorded: () => Note[]) {
    this.#path = `/games/${encodeURIComponent(id)}/notes`;
    this.#recorded = recorded;
    this.#loaded = load((signal) => (published || id === "" ? null : get<NoteList>(this.#path, {}, { signal })));
  }

  get #current(): NoteList | null {
    return this.#changed ?? this.#loaded.data ?? null;
  }

  get list(): Note[] {
    return this.#current?.notes ?? this.#recorded();
  }

  /** Functions that change notes; null if the notes are read-only. */
  get keeper(): NoteKeeper | null {
    return this.#current?.writable ? this.#keeper : null;
  }

  #keeper: NoteKeeper = {
    add: async (moment, text) => void (this.#changed = await post<NoteList>(this.#path, { moment, text })),
    edit: async (serial, text) => void (this.#changed = await change<NoteList>("PUT", `${this.#path}/${serial}`, { text })),
    remove: async (serial) => void (this.#changed = await change<NoteList>("DELETE", `${this.#path}/${serial}`)),
  };
}

/** Must be called during a component's setup. `recorded` are the notes of the game's record. */
export const notesOf = (id: string, recorded: () => Note[]): GameNotes => new GameNotes(id, recorded);
