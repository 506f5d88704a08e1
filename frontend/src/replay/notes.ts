// What a replay can do with notes where somebody keeps them; a page asks its server, a file keeps none.
export interface NoteKeeper {
  add: (moment: number, text: string) => Promise<void>;
  edit: (serial: number, text: string) => Promise<void>;
  remove: (serial: number) => Promise<void>;
}

/** Characters of a note. */
export const LONGEST_NOTE = 4000;
