// Changes to the text of a session file.

const PARTICIPANTS = /^participants *= *\d+/m;

/** Return the number of participants that a session file names, or null. */
export function participantsOf(text: string): number | null {
  const line = PARTICIPANTS.exec(text)?.[0];
  return line === undefined ? null : Number(line.replace(/^\D*/, ""));
}

/** Return a session file with another number of participants. A file that names none is returned as it is. */
export function withParticipants(text: string, count: number): string {
  return text.replace(PARTICIPANTS, `participants = ${count}`);
}
