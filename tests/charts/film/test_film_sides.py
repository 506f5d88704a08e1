"""Films of two sides and their price line; roles, unknown amounts and whole notes in any layout."""

import numpy as np
import pytest

import double_auction
import marketplace
from ostrom.charts.film.canvas import Canvas
from ostrom.charts.film.colours import FilmCast, ranks
from ostrom.charts.film.curves import Curve, curves_of
from ostrom.charts.film.film import MP4, FilmLook, plan_story
from ostrom.charts.film.sides import _apart
from ostrom.charts.film.timeline import Kind, Moment
from ostrom.core.effects import Set, Telling
from ostrom.core.scene import Card, Centre, Quantity, QuantityField, Scene
from ostrom.core.telling import Story, presentation_of, story_of
from ostrom.experiment import play

CAST = FilmCast(("P1", "P2"), ("Ann", "Bob"))
LOOKS = pytest.mark.parametrize(
    "look", [FilmLook(), FilmLook(sheet=MP4.sheet(upright=True))], ids=["landscape", "portrait"]
)


@pytest.fixture
def texts(monkeypatch):
    """The texts that are drawn."""
    drawn, text = [], Canvas.text

    def spy(self, at, words, *arguments, **options):
        drawn.append(words)
        text(self, at, words, *arguments, **options)

    monkeypatch.setattr(Canvas, "text", spy)
    return drawn


def drawn_at(story, look, texts, kind, cast=CAST):
    """Draw the last shot of a kind, and return its texts."""
    film = plan_story(story, cast, look)
    index = max(place for place, shot in enumerate(film.timeline.shots) if shot.kind is kind)
    texts.clear()
    film.draw(Moment(index, 1.0))
    return list(texts)


@LOOKS
def test_two_sides_show_roles_quotes_and_trades(look, texts):
    game = double_auction.register()
    match = play(["Truthful"] * 4, game=game.name, seed=13)
    story = story_of(presentation_of(game), match.rules, 4, match.events)
    prices = [effect.values["price"] for effect in story.tellings[-2].sets if "price" in effect.values]
    quotes = story.tellings[-2].sets[0].values["quote"]
    assert prices
    words = drawn_at(story, look, texts, Kind.TURN, FilmCast(("P1", "P2", "P3", "P4"), tuple(match.names)))
    for seat, quote in enumerate(quotes):
        assert f"P{seat + 1} {quote}" in words
        assert any(text.endswith(", buyer" if seat < 2 else ", seller") for text in words)
    assert {f"{price:g}" for price in prices} <= set(words)


def test_supply_and_demand_are_ranked_by_price():
    curves = curves_of([20.0, 60.0, 70.0, None], right=(2, 3))
    assert curves == [Curve((60.0, 20.0), False, False), Curve((70.0,), True, False)]


@LOOKS
def test_supply_and_demand_are_drawn_beside_the_price_line(look, texts):
    game = marketplace.register()
    match = play(["Truthful"] * 4, game=game.name, seed=13)
    story = story_of(presentation_of(game), match.rules, 4, match.events)
    words = drawn_at(story, look, texts, Kind.TURN, FilmCast(("P1", "P2", "P3", "P4"), tuple(match.names)))
    assert "Supply and demand" in words


def table(notes=(), roles=()):
    """A table where only the first seat's amount is known, and the middle's is not."""
    quantities = {
        "points": Quantity(title="Points"),
        "fund": Quantity(title="Fund", of="table"),
        **{f"note{place}": Quantity(title=title) for place, title in enumerate(notes)},
    }
    scene = Scene(
        layout="table",
        title="Table",
        clock="round",
        final="points",
        quantities=quantities,
        centre=Centre(quantity="fund", title="Fund"),
        card=Card(
            quantity="points", notes=tuple(QuantityField(quantity=f"note{place}") for place in range(len(notes)))
        ),
        roles=roles,
    )
    values = {"points": (3, None), **{f"note{place}": (1, 2) for place in range(len(notes))}}
    return Story(
        scene, Telling(), (Telling(turn=1, effects=(Set(values=values),)), Telling(turn=1, phase="end", title=("End",)))
    )


@LOOKS
def test_an_unknown_amount_is_a_dash(look, texts):
    playing = drawn_at(table(), look, texts, Kind.REST)
    assert playing.count("–") == 2
    assert "–" in drawn_at(table(), look, texts, Kind.FINAL)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_an_unknown_amount_is_last(better):
    assert ranks([None, 2.0, 1.0], better)[0] == 3


def test_notes_and_roles_are_drawn_whole(texts):
    notes = ("contributed to the fund of all", "takes from others in punishment", "answers to the question about rules")
    words = " ".join(
        drawn_at(table(notes, ("the first mover of a long name", "the second")), FilmLook(), texts, Kind.REST)
    )
    for part in ("the first mover of a long name", *(f"{note} 1" for note in notes)):
        assert part in words
    assert "…" not in words


def test_labels_stand_apart_in_order():
    assert _apart([10, 12, 11], 20, 0, 100) == [10, 50, 30]
    assert _apart([99, 98], 20, 0, 100) == [100, 80]


@LOOKS
def test_bands_reach_from_bids_to_private_values(look):
    match = play(["Truthful", "Shade:share=0.5", "RingMember"], game="auction", rules={"rounds": 1}, seed=1)
    story = story_of(presentation_of(match.game), match.rules, 3, match.events)
    prices = story.scene.prices.model_copy(update={"values": None})
    plain = Story(story.scene.model_copy(update={"prices": prices}), story.opening, story.tellings)
    pictures = []
    for told in (story, plain):
        film = plan_story(told, FilmCast(("P1", "P2", "P3"), tuple(match.names)), look)
        sale = max(place for place, shot in enumerate(film.timeline.shots) if shot.kind is Kind.TURN)
        pictures.append(np.asarray(film.draw(Moment(sale, 1.0))))
    assert (pictures[0] != pictures[1]).any()
