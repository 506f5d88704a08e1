// A parser for server-sent events as in the HTML standard. It ignores `id` and `retry`, which are not used here.
export interface ServerEvent {
  event: string;
  data: string;
}

/** Return a function that takes chunks of text and returns the events that each chunk completes. */
export function eventReader(): (text: string) => ServerEvent[] {
  let rest = "";
  let event = "";
  let data: string[] = [];
  return (text) => {
    const events: ServerEvent[] = [];
    rest += text;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length) events.push({ event: event || "message", data: data.join("\n") });
        event = "";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      if (colon === 0) continue;
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") event = value;
      else if (field === "data") data.push(value);
    }
    return events;
  };
}
