import { expect, test, vi } from "vitest";

vi.stubGlobal("location", { href: "http://127.0.0.1:8000/#/games/a", hash: "#/games/a", protocol: "http:", pathname: "/" });
vi.stubGlobal("window", { addEventListener: () => undefined });
vi.stubGlobal("localStorage", { getItem: () => null });
const { frameAddress, frameLine, sharePage } = await import("./sharing");

test("a frame shows one game at a moment", () => {
  expect(frameAddress(["games", "a b"], { at: 3 })).toBe("http://127.0.0.1:8000/embed/#/games/a%20b?at=3");
});
test("no name becomes markup in the line", () => {
  const line = frameLine("http://x/?a=1&b=2", `"><script>alert('1')</script>`);
  expect(line).toContain('title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"');
  expect(line.match(/</g)).toHaveLength(2);
});
test("the page to share is one of the server's", () => {
  expect(sharePage("players", "a/b", { kind: "punish" })).toBe("http://127.0.0.1:8000/share/players/a%2Fb?kind=punish");
});
