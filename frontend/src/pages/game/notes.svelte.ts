// The notes of a game, as the server keeps them; in a published site those that its record has.
import { change, get, post, published } from "../../api/client";
import type { NoteList } from "../../api/types";
import { loaded } from "../../lib/loaded.svelte";
import type { NoteKeeper } from "../../replay/notes";
import type { Note } from "../../replay/record";

class GameNotes {
  #path: string;
  #written = $state.raw<NoteList | null>(null);
  #asked;
  #recorded: () => Note[];

  constructor(id: string, recorded: () => Note[]) {
    this.#path = `/games/${encodeURIComponent(id)}/notes`;
    this.#recorded = recorded;
    this.#asked = loaded((signal) => (published || id === "" ? null : get<NoteList>(this.#path, {}, { signal })));
  }

  get #now(): NoteList | null {
    return this.#written ?? this.#asked.data ?? null;
  }

  get list(): Note[] {
    return this.#now?.notes ?? this.#recorded();
  }

  /** How they are written; null where they cannot be. */
  get keeper(): NoteKeeper | null {
    return this.#now?.writable ? this.#keeper : null;
  }

  #keeper: NoteKeeper = {
    add: async (moment, text) => void (this.#written = await post<NoteList>(this.#path, { moment, text })),
    edit: async (serial, text) => void (this.#written = await change<NoteList>("PUT", `${this.#path}/${serial}`, { text })),
    remove: async (serial) => void (this.#written = await change<NoteList>("DELETE", `${this.#path}/${serial}`)),
  };
}

/** Must be called while a component is set up. `recorded` are the notes of the game's record. */
export const notesOf = (id: string, recorded: () => Note[]): GameNotes => new GameNotes(id, recorded);
