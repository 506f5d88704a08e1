// Functions to change notes, which only a page with a server has.
export interface NoteKeeper {
  add: (moment: number, text: string) => Promise<void>;
  edit: (serial: number, text: string) => Promise<void>;
  remove: (serial: number) => Promise<void>;
}

/** The server's limit. */
export const MAX_NOTE_CHARACTERS = 4000;
