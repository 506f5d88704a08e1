// Draws the charts one after another, so that the page answers while it does. Inks are `currentColor`: light and dark
// mode and the printer change them by style alone. Expressions are interpreted (`ast`), so that the page's security
// policy may forbid the evaluation of text as code.
(async () => {
  const { config, charts } = JSON.parse(document.getElementById("charts").textContent);
  for (const place of document.querySelectorAll(".chart[data-chart]")) {
    const chart = charts[Number(place.dataset.chart)];
    try {
      await window.vegaEmbed(place, chart.spec, {
        actions: false, ast: true, config, logLevel: 1, renderer: chart.dots ? "hybrid" : "svg",
      });
    } catch (error) {
      place.textContent = "This chart could not be drawn: " + error;
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
  document.documentElement.dataset.drawn = "true";
})();
