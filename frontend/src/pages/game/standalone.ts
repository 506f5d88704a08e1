// A game as a single page that opens from disk, as from `ostrom export GAME -o game.html`: the viewer with the record inside.

const NO_GAME = '<script id="game" type="application/json">null</script>';
/** Escapes, so that a record cannot end its element or start another; in JSON these characters occur in texts only. */
const ESCAPED: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** The viewer with a record, which is JSON, inside. */
export function pageOf(viewer: string, record: string): string {
  const parts = viewer.split(NO_GAME);
  if (parts.length !== 2) throw new Error("The viewer of this server belongs to another version.");
  // The original text, as parsing would round large numbers.
  const data = record.replace(/[<>&]/g, (sign) => ESCAPED[sign]!);
  return parts.join(NO_GAME.replace("null", () => data));
}
