// Reading a file that somebody dropped or chose: a record, or one line that says why it is none.
import { BrokenRecord, readRecord, type GameRecord } from "../replay/record";

const MEGABYTE = 1_000_000;
/** A record of a long game has a few megabytes; what is far beyond that is something else, and would only hang the page. */
const MOST = 64 * MEGABYTE;

/** The record in a file. */
export async function recordIn(file: File): Promise<GameRecord> {
  if (file.size > MOST)
    throw new BrokenRecord(`This file has ${Math.round(file.size / MEGABYTE)} MB; the viewer reads records of up to ${MOST / MEGABYTE} MB.`);
  let text: string;
  try {
    text = await file.text();
  } catch {
    throw new BrokenRecord("This cannot be read as a file; drop the record of one game, a JSON file.");
  }
  return readRecord(text);
}
