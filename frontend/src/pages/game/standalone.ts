// A game as one page that opens from disk, as `ostrom export GAME -o game.html` writes it: the viewer, with the record inside.

const NO_GAME = '<script id="game" type="application/json">null</script>';
/** Nothing in a record can end the element that it lies in, or begin another; in JSON these signs stand within texts alone. */
const ESCAPED: Record<string, string> = { "<": "\\u003c", ">": "\\u003e", "&": "\\u0026" };

/** The viewer with a record, which is JSON, inside. */
export function pageOf(viewer: string, record: string): string {
  const parts = viewer.split(NO_GAME);
  if (parts.length !== 2) throw new Error("The viewer of this server belongs to another version.");
  // The text as it came: numbers that this language would round stay what they are.
  const data = record.replace(/[<>&]/g, (sign) => ESCAPED[sign]!);
  return parts.join(NO_GAME.replace("null", () => data));
}
