// Reads a dropped or chosen file as a record, or throws `BrokenRecord` with one line.
import { BrokenRecord, readRecord, type GameRecord } from "../replay/record";

const MEGABYTE = 1_000_000;
/** A record of a long game has a few megabytes; a much larger file is something else, and would block the page. */
const MAX_BYTES = 64 * MEGABYTE;

/** Read the record in a file. */
export async function recordIn(file: File): Promise<GameRecord> {
  if (file.size > MAX_BYTES)
    throw new BrokenRecord(`This file has ${Math.round(file.size / MEGABYTE)} MB; the viewer reads records of up to ${MAX_BYTES / MEGABYTE} MB.`);
  let text: string;
  try {
    text = await file.text();
  } catch {
    throw new BrokenRecord("This cannot be read as a file; drop the record of one game, a JSON file.");
  }
  return readRecord(text);
}
