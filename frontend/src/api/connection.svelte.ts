// The state of the connection to the server. The shell of the pages shows it.
export const connection = $state({
  /** True if the last request got no reply. */
  gone: false,
  /** True if the server needs a token that this page does not have. */
  locked: false,
  /** The progress of a long computation, in words; empty if there is none. */
  computing: "",
  /** Increases each time the server is reachable again, so that data can be reloaded. */
  returns: 0,
});

/** Called after every request. */
export function reportReply(answered: boolean): void {
  if (answered && connection.gone) connection.returns += 1;
  if (connection.gone === answered) connection.gone = !answered;
}
