// Read a file that was dropped or chosen as a record. Throw `BrokenRecord` with a message of one line if it is invalid.
import { BrokenRecord, readRecord, type GameRecord } from "../replay/record";

const MEGABYTE = 1_000_000;
/** The largest size of a file. The record of a long game has a few megabytes. A much larger file is not a record and
 * would block the page. */
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
