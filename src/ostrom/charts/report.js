// Draws the charts one after another, so that the page answers while it does. Inks are `currentColor`: light and dark
// mode and the printer change them by style alone. Expressions are interpreted (`ast`), so that the page's security
// policy may forbid the evaluation of text as code.

// An entry of the legend shows what is its own while it is pointed at; a click on a player keeps it in sight.
function choose(view, entries) {
  const known = view.getState({ signals: (name) => name === "shown" || name === "pinned" }).signals;
  if (!("pinned" in known)) return;
  for (const entry of "shown" in known ? entries : []) {
    entry.addEventListener("pointerenter", () => view.signal("shown", entry.dataset.key).run());
    entry.addEventListener("pointerleave", () => view.signal("shown", null).run());
  }
  view.addEventListener("click", (_event, item) => {
    const player = item?.datum?.player;
    const pinned = view.signal("pinned");
    if (player === undefined) return;
    view.signal("pinned", pinned.includes(player) ? pinned.filter((one) => one !== player) : [...pinned, player]).run();
  });
}

(async () => {
  const { config, charts } = JSON.parse(document.getElementById("charts").textContent);
  for (const place of document.querySelectorAll(".chart[data-chart]")) {
    const chart = charts[Number(place.dataset.chart)];
    try {
      const { view } = await window.vegaEmbed(place, chart.spec, {
        actions: false, ast: true, config, logLevel: 1, renderer: chart.dots ? "hybrid" : "svg",
      });
      choose(view, place.closest("figure").querySelectorAll(".key [data-key]"));
    } catch (error) {
      place.textContent = "This chart could not be drawn: " + error;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  document.documentElement.dataset.drawn = "true";
})();
