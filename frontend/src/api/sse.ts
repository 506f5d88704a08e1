// Server-sent events out of chunks of text, as the HTML standard reads them; without `id` and `retry`, which are not used.
export interface Sent {
  event: string;
  data: string;
}

/** A reader that is fed text as it comes and gives back the events that it completes. */
export function sentEvents(): (text: string) => Sent[] {
  let rest = "";
  let event = "";
  let data: string[] = [];
  return (text) => {
    const found: Sent[] = [];
    rest += text;
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line === "") {
        if (data.length) found.push({ event: event || "message", data: data.join("\n") });
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
    return found;
  };
}
