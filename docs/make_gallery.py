"""Draw the gallery of charts: `python docs/make_gallery.py`, from the games of PGG-Bench in $OSTROM_DATA. Only the
charts are stored here; the logs belong to others."""

import base64
import io
import os
import re
import tempfile
from pathlib import Path

import altair as alt
import numpy as np
from PIL import Image

from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.study import study_of
from ostrom.charts import render
from ostrom.charts.catalogue import RATING_DEFINITION, catalogue_of, draw_picture, shown_sections
from ostrom.charts.families import Cast
from ostrom.charts.palette import COLOURS
from ostrom.charts.standings import RATINGS, ratings_frame, standings_of
from ostrom.games.contribute_punish.tables import PunishTables, tables_of
from ostrom.importers.names import PGG_BENCH as NAMES
from ostrom.importers.pgg_bench import import_logs, logs_in
from ostrom.journal.sql import Journal

DOCS = Path(__file__).parent
DATA = Path(os.environ.get("OSTROM_DATA", DOCS.parents[1] / "shared" / "data"))
DRAW_PROBABILITY = 0.4
"""The draw probability of the published table; see docs/ratings.md."""
PAINTED = 1.5
"""Pixels of a rasterised strip per pixel of the chart."""

OPENING = """# Gallery

This page shows every chart of `ostrom report`, drawn from 580 games that 19 language models played in PGG-Bench
(lechmazur/pgg_bench). The report itself is interactive, follows light and dark mode, and needs no network. The page is
made by `python docs/make_gallery.py`. Strips of dots, which are thousands of shapes in the report's own SVG, are images
here to keep them small.
"""


def imported() -> PunishTables:
    """Return the tables of the games of PGG-Bench, replayed into a temporary journal."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Journal.open(f"sqlite:///{folder}/gallery.db", create=True) as journal,
    ):
        import_logs(logs_in(DATA / "pgg_bench"), journal)
        return tables_of(journal.records())


def small(chart: alt.LayerChart, *, dots: bool) -> str:
    """Return the chart as a small SVG: without a description of every mark, and with strips of dots as one image."""
    bare = alt.LayerChart.from_dict(chart.to_dict() | {"config": chart.to_dict()["config"] | {"aria": False}})
    picture = render.svg(bare)
    if not dots:
        # A hundredth of a pixel is enough for places and shapes; figures in the text keep all their digits.
        return re.sub(r"<[^>]*>", lambda tag: re.sub(r"(\d+\.\d\d)\d+", r"\1", tag[0]), picture)
    size = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', picture)
    assert size is not None
    extent = f'width="{size[1]}" height="{size[2]}"'
    image = base64.b64encode(painted(picture)).decode()
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[1]} {size[2]}" {extent}>'
        f'<image {extent} href="data:image/png;base64,{image}"/></svg>\n'
    )


def painted(picture: str) -> bytes:
    """Return the picture as a PNG of few colours, a quarter of the size: the inks and the families' colours, each in
    steps to white. A palette chosen by an algorithm could merge two families."""
    inks = np.array([[int(ink[at : at + 2], 16) for at in (1, 3, 5)] for ink in ("#000000", *COLOURS.values())])
    steps = np.linspace(0, 1, 28)[:, None, None]
    palette = np.rint(255 + (inks - 255) * steps).reshape(-1, 3).astype(np.int32)
    with Image.open(io.BytesIO(render.png(picture, scale=PAINTED))) as image:
        pixels = np.asarray(image.convert("RGB"), dtype=np.int32)
    seen, which = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True)
    nearest = np.array([np.argmin(((palette - colour) ** 2).sum(axis=1)) for colour in seen], dtype=np.uint8)
    reduced = Image.fromarray(nearest[which.reshape(-1)].reshape(pixels.shape[:2]), "P")
    reduced.putpalette(palette.astype(np.uint8).tobytes())
    kept = io.BytesIO()
    reduced.save(kept, "PNG", optimize=True)
    return kept.getvalue()


def main() -> None:
    """Draw all charts, and write the page that shows them."""
    tables = imported()
    cast = Cast.of(tables.seats["player"], names=NAMES)
    standings = standings_of(rate_players(tables, passes=200, draw_probability=DRAW_PROBABILITY))
    folder = DOCS / "gallery"
    folder.mkdir(exist_ok=True)
    page = [OPENING]
    study = study_of(tables)
    measured = {name: measure.function(tables) for name, measure in study.measures.items()}
    for section in shown_sections(catalogue_of(study).sections, measured):
        page.append(f"## {section.title}\n")
        for picture in section.pictures:
            rated = picture.name == RATINGS
            frame = ratings_frame(standings) if rated else measured[picture.name]
            chart = draw_picture(picture, frame, cast)
            (folder / f"{picture.name}.svg").write_text(small(chart, dots=picture.dots), encoding="utf-8")
            about = RATING_DEFINITION if rated else study.measures[picture.name].definition
            title = " ".join(chart.to_dict()["title"]["text"])
            page.append(f"### {picture.heading}\n\n![{title}](gallery/{picture.name}.svg)\n\n{about}\n")
    (DOCS / "gallery.md").write_text("\n".join(page), encoding="utf-8")


if __name__ == "__main__":
    main()
