// Whether the server answers; the shell shows it.
export const connection = $state({
  /** No answer came to the last request. */
  gone: false,
  /** The lab asks for a token that this page does not have. */
  locked: false,
  /** How far the server is with what takes it long, in words; empty where it keeps nobody waiting. */
  computing: "",
  /** Grows each time the server is there again: who loaded something may want to load it anew. */
  returns: 0,
});

/** Called after every request. */
export function heard(answered: boolean): void {
  if (answered && connection.gone) connection.returns += 1;
  if (connection.gone === answered) connection.gone = !answered;
}
