// A game as a single page that can be opened from disk, like the result of `ostrom export GAME -o game.html`. It is the
// viewer with the record inside.

const NO_GAME = '<script id="game" type="application/json">null</script>';
/** Characters that are escaped, so that a record cannot end its element or start another one. In JSON, these characters
 * occur only in texts. */
const ESCAPED: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** Return the viewer with a record inside. The record is JSON. */
export function pageOf(viewer: string, record: string): string {
  const parts = viewer.split(NO_GAME);
  if (parts.length !== 2) throw new Error("The viewer of this server belongs to another version.");
  // The original text is used, because parsing it would round large numbers.
  const data = record.replace(/[<>&]/g, (sign) => ESCAPED[sign]!);
  return parts.join(NO_GAME.replace("null", () => data));
}
