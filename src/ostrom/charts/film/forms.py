"""Draws the forms of questions within a box. Parts that are unknown are left open."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from ostrom.charts.film import colours as hues
from ostrom.charts.film.canvas import Canvas, between
from ostrom.charts.film.colours import Colour, FilmCast, figure, mixed
from ostrom.core import effects

_OTHER: Final = (150, 156, 168)
"""A party that has no seat."""
_MAX_PARTIES: Final = 12
"""The largest number of parties or nodes that are drawn one by one."""


class Box(NamedTuple):
    """A part of a picture, in which a form is drawn."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    def x(self, share: float) -> float:
        """Return the horizontal position at a share of the box's width."""
        return between(self.left, self.right, min(1.0, max(0.0, share)))


def _colour(party: effects.FormParty, cast: FilmCast) -> Colour:
    return _OTHER if party.seat is None else cast.colour(party.seat)


def _who(party: effects.FormParty, cast: FilmCast) -> str:
    label = "the other" if party.seat is None or party.seat >= len(cast.labels) else cast.labels[party.seat]
    return f"{label}, {party.role}"


def _say_parties(canvas: Canvas, parties: Sequence[effects.FormParty], box: Box, y: float, cast: FilmCast) -> None:
    """Draw the two players, one on the left and one on the right."""
    for party, x, anchor in zip(parties, (box.left, box.right), ("lm", "rm"), strict=True):
        canvas.text((x, y), _who(party, cast), 20, _colour(party, cast), anchor=anchor)


def _split(canvas: Canvas, form: effects.Split, box: Box, cast: FilmCast) -> None:
    """Draw the pot as a bar and the offer as a cut. After a rejection, the bar is empty."""
    first, second = form.parties
    top = box.top + 170
    share = 0.0 if form.offer is None else form.offer / form.pot
    cut = box.x(1 - share)
    rejected = form.accepted is False
    if form.offer is None:
        canvas.panel((box.left, top, box.right, top + 90), hues.PANEL, 8)
    else:
        for left, right, party in ((box.left, cut, first), (cut, box.right, second)):
            colour = mixed(_colour(party, cast), hues.PANEL, 0.8) if rejected else _colour(party, cast)
            canvas.draw.rectangle((left, top, max(left, right), top + 90), fill=colour)
    keeps = "divides " + figure(form.pot) if form.offer is None else f"keeps {figure(form.pot - form.offer)}"
    _say_parties(canvas, form.parties, box, top - 60, cast)
    canvas.text((box.left, top - 28), keeps, 22, hues.INK)
    if form.offer is not None:
        word = "is offered" if form.consent else "is given"
        canvas.text((box.right, top - 28), f"{word} {figure(form.offer)}", 22, hues.INK, anchor="rm")
    if form.accepted is not None:
        verdict = "Accepted: both get their parts" if form.accepted else "Rejected: both get nothing"
        canvas.text((box.x(0.5), top + 140), verdict, 26, hues.LOSS if rejected else hues.GAIN, anchor="mm")


def _flow(canvas: Canvas, form: effects.FlowForm, box: Box, cast: FilmCast) -> None:
    """Draw the amount sent, which grows on its way to the receiver, and the amount returned."""
    first, second = form.parties
    scale = 330 / max(form.endowment * max(1.0, form.multiplier), 1e-9)
    top, left, right = box.top + 90, box.left + 90, box.right - 90
    canvas.text((left, top - 40), _who(first, cast), 20, _colour(first, cast), anchor="mm")
    canvas.text((right, top - 40), _who(second, cast), 20, _colour(second, cast), anchor="mm")
    remainder = form.endowment - (form.sent or 0)
    held = (form.received or 0) - (form.returned or 0)
    for x, amount, party in ((left, remainder + (form.returned or 0), first), (right, held, second)):
        canvas.panel((x - 40, top, x + 40, top + max(3.0, amount * scale)), _colour(party, cast), 4)
        canvas.text((x, top + max(3.0, amount * scale) + 20), figure(amount), 24, hues.INK, anchor="mm")
    if form.sent is not None:
        canvas.stroke(((left + 50, top + 60), (right - 60, top + 60)), 4, _colour(first, cast), 14)
        grown = f"sends {figure(form.sent)}, × {figure(form.multiplier)} = {figure(form.received or 0)}"
        canvas.text((box.x(0.5), top + 36), grown, 20, hues.INK, anchor="mm")
    if form.returned is not None:
        canvas.stroke(((right - 50, top + 150), (left + 60, top + 150)), 4, _colour(second, cast), 14)
        canvas.text((box.x(0.5), top + 126), f"returns {figure(form.returned)}", 20, hues.INK, anchor="mm")


def _matrix(canvas: Canvas, form: effects.MatrixForm, box: Box, cast: FilmCast) -> None:
    """Draw the payoffs by row and column. The cell that was played is filled."""
    first, second = form.parties
    left, top = box.left + 150, box.top + 110
    wide, high = (box.right - left) / len(form.columns), min(150.0, 360 / len(form.rows))
    _say_parties(canvas, form.parties, box, top - 70, cast)
    for column, option in enumerate(form.columns):
        ink = _colour(second, cast) if column == form.column else hues.SOFT
        canvas.text((left + wide * (column + 0.5), top - 24), option, 20, ink, anchor="mm", width=wide)
    for row, option in enumerate(form.rows):
        ink = _colour(first, cast) if row == form.row else hues.SOFT
        canvas.text((left - 20, top + high * (row + 0.5)), option, 20, ink, anchor="rm", width=130)
        for column, (row_payoff, column_payoff) in enumerate(form.payoffs[row]):
            positions = form.row is not None or form.column is not None
            played = positions and form.row in (None, row) and form.column in (None, column)
            x, y = left + wide * column, top + high * row
            cell = (x + 4, y + 4, x + wide - 4, y + high - 4)
            canvas.panel(cell, mixed(hues.PANEL, hues.COIN, 0.4) if played else hues.PANEL, 8)
            text = f"{figure(row_payoff)}, {figure(column_payoff)}"
            canvas.text((x + wide / 2, y + high / 2), text, 24, hues.INK if played else hues.SOFT, anchor="mm")


def _tree(canvas: Canvas, form: effects.Tree, box: Box, cast: FilmCast) -> None:
    """Draw nodes from left to right. Below each node are both players' payoffs of taking."""
    moves = len(form.moves)
    taken = moves > 0 and form.moves[-1] == "take"
    now = moves - 1 if taken else moves
    first = max(0, min(now - _MAX_PARTIES // 2, len(form.nodes) - _MAX_PARTIES))
    visible = list(enumerate(form.nodes))[first : first + _MAX_PARTIES]
    step, y = box.width / (len(visible) + 1), box.top + 150
    _say_parties(canvas, form.parties, box, box.top + 40, cast)
    for place, (index, paid) in enumerate(visible):
        x = box.left + step * (place + 0.5)
        passed, took = index < moves and not (taken and index == now), taken and index == now
        canvas.draw.line((x, y, x + step, y), fill=hues.COIN if passed else hues.LINE, width=4 if passed else 2)
        canvas.draw.line((x, y, x, y + 110), fill=hues.COIN if took else hues.LINE, width=4 if took else 2)
        canvas.disc((x, y), 20, _colour(form.parties[index % 2], cast))
        canvas.text((x, y), str(index + 1), 18, hues.PRINT, anchor="mm")
        _paid(canvas, x, y + 130, paid, reached=took)
    if first + len(visible) == len(form.nodes):
        _paid(
            canvas, box.left + step * (len(visible) + 0.5), y, form.end, reached=moves == len(form.nodes) and not taken
        )
    verdict = f"taken at node {now + 1}" if taken else f"node {now + 1}: take or pass" if now < len(form.nodes) else ""
    canvas.text((box.x(0.5), y + 260), verdict, 22, hues.INK, anchor="mm")


def _paid(canvas: Canvas, x: float, y: float, paid: Sequence[float], *, reached: bool) -> None:
    for row, amount in enumerate(paid):
        canvas.text((x, y + 26 * row), figure(amount), 18, hues.COIN if reached else hues.SOFT, anchor="mm")


def _line(canvas: Canvas, form: effects.NumberLine, box: Box, cast: FilmCast) -> None:
    """Draw numbers on a line. Equal numbers are stacked."""
    y = box.top + 300
    span = (form.high - form.low) or 1.0
    canvas.draw.line((box.left, y, box.right, y), fill=hues.LINE, width=3)
    for value in (form.low, between(form.low, form.high, 0.5), form.high):
        canvas.text((box.x((value - form.low) / span), y + 24), figure(value), 16, hues.FAINT, anchor="mm")
    for place, rule in enumerate(form.rules):
        x, high = box.x((rule.value - form.low) / span), y - 140 - 26 * place
        canvas.draw.line((x, high, x, y), fill=hues.COIN if rule.main else hues.SOFT, width=2)
        canvas.text(
            (x, high - 14), f"{rule.title} {figure(rule.value)}", 17, hues.COIN if rule.main else hues.SOFT, anchor="mm"
        )
    heights: dict[int, int] = {}
    for pin in form.pins:
        if pin.value is None:
            continue
        share = (pin.value - form.low) / span
        column = round(share * 50)
        level = heights.get(column, 0)
        heights[column] = level + 1
        at = (box.x(share), y - 12 - min(level, 9) * 18)
        if pin.best:
            canvas.disc(at, 12, hues.COIN)
        canvas.disc(at, 8, _colour(pin.party, cast))
    for row, pin in enumerate(form.pins[:8]):
        answer = "" if pin.value is None else f" {form.verb} {figure(pin.value)}"
        at = (box.left + (row % 2) * box.width / 2, box.top + 10 + 26 * (row // 2))
        canvas.text(at, f"{_who(pin.party, cast)}{answer}", 17, _colour(pin.party, cast), width=box.width / 2 - 10)
    for row, text in enumerate(canvas.lettering.wrapped(form.verdict, 18, box.width, 4)):
        canvas.text((box.left, y + 70 + 26 * row), text, 18, hues.INK)


def _fund(canvas: Canvas, form: effects.FundForm, box: Box, cast: FilmCast) -> None:
    """Draw the amounts that every party pays in and keeps, and the amount that it gets back."""
    share = form.share or 0.0
    top = box.top + 80
    if form.fund is not None:
        text = f"{figure(form.fund)} × {figure(form.multiplier)} ÷ {form.players} = {figure(share)} for each"
        canvas.text((box.left, box.top + 30), text, 24, hues.INK)
    visible = form.parties[:_MAX_PARTIES]
    step, scale = min(52.0, 440 / len(visible)), (box.width - 190) / max(form.endowment + share, 1e-9)
    for row, party in enumerate(visible):
        y, x = top + step * (row + 0.5), box.left + 180
        canvas.text((box.left, y), _who(party, cast), 15, _colour(party, cast), width=170)
        amounts = None if form.contributions is None else form.contributions[row]
        pieces: list[tuple[float, Colour]] = [(form.endowment, hues.PANEL)]
        if amounts is not None:
            colour = _colour(party, cast)
            pieces = [(amounts, mixed(colour, hues.PANEL, 0.6)), (form.endowment - amounts, colour), (share, hues.GAIN)]
        for amount, colour in pieces:
            right = x + amount * scale
            if right > x:
                canvas.draw.rectangle((x, y - step * 0.3, right - 1, y + step * 0.3), fill=colour)
            x = right
        if amounts is not None:
            canvas.text((box.left + 186, y), f"pays in {figure(amounts)}", 14, hues.INK)
    if len(form.parties) > len(visible):
        canvas.text(
            (box.left, top + step * len(visible) + 16), f"and {len(form.parties) - len(visible)} more", 14, hues.FAINT
        )


def _option(
    canvas: Canvas, choice: effects.ChoiceMade, option: str, title: str, box: Box, at: tuple[float, float]
) -> Colour:
    """Draw an option's letter and title. Return the colour for the rest of the option."""
    chosen = choice.answer == option
    letter = choice.labels[choice.options.index(option)] if option in choice.options else ""
    ink = hues.COIN if chosen else hues.FAINT if choice.answer is not None else hues.INK
    canvas.text(at, f"{letter}  {title}{'  chosen' if chosen else ''}", 20, ink, width=box.width)
    return ink


def _dates(canvas: Canvas, form: effects.Dates, box: Box, cast: FilmCast) -> None:
    """Draw amounts as bars on a line of time that begins today."""
    y, last = box.top + 400, max([payment.days for payment in form.payments] + [1])
    most = max([payment.amount for payment in form.payments] + [1e-9])
    canvas.draw.line((box.left, y, box.right, y), fill=hues.LINE, width=3)
    if all(payment.days for payment in form.payments):
        canvas.text((box.left, y + 24), "today", 15, hues.FAINT)
    for payment in form.payments:
        x = between(box.left + 40, box.right - 180, payment.days / last)
        top = y - 10 - 200 * payment.amount / most
        ink = _option(canvas, form.choice, payment.option, payment.option, box, (x - 10, top - 56))
        canvas.panel((x - 10, top, x + 10, y), ink, 4)
        canvas.text((x - 10, top - 26), figure(payment.amount), 24, hues.INK)
        when = "today" if payment.days == 0 else f"in {figure(round(payment.days))} days"
        canvas.text((x, y + 24), when, 16, hues.SOFT, anchor="mm")


def _lotteries(canvas: Canvas, form: effects.Lotteries, box: Box, cast: FilmCast) -> None:
    for row, lottery in enumerate(form.lotteries):
        _lottery(canvas, form, lottery, box._replace(top=box.top + 60 + 200 * row))


def _lottery(canvas: Canvas, form: effects.Lotteries, lottery: effects.Lottery, box: Box) -> None:
    """Draw a bar for each outcome. Its width is the outcome's probability, and higher payoffs are brighter. Unknown
    probabilities are left open."""
    _option(canvas, form.choice, lottery.option, lottery.title, box, (box.left, box.top))
    x, top = box.left, box.top + 24
    if lottery.chances is None:
        canvas.panel((box.left, top, box.right, top + 50), hues.PANEL, 6)
        words = " or ".join(f"? {figure(outcome)}" for outcome in form.outcomes)
        canvas.text((box.left + 10, top + 25), words, 18, hues.SOFT)
        return
    for place, (chance, outcome) in enumerate(zip(lottery.chances, form.outcomes, strict=True)):
        right = x + box.width * chance
        if right - x >= 1:
            tone = place / max(1, len(form.outcomes) - 1)
            canvas.draw.rectangle((x, top, right - 2, top + 50), fill=mixed(hues.PANEL, hues.GAIN, 0.15 + 0.85 * tone))
            text = f"{figure(100 * chance)} %: {figure(outcome)}"
            canvas.text((x + 6, top + 68), text, 15, hues.INK, width=max(60.0, right - x - 8))
        x = right
    if form.worth:
        worth = sum(chance * outcome for chance, outcome in zip(lottery.chances, form.outcomes, strict=True))
        canvas.text((box.right, box.top), f"expected value {figure(worth)}", 15, hues.SOFT, anchor="rm")


def _gamble(canvas: Canvas, form: effects.Gamble, box: Box, cast: FilmCast) -> None:
    """Draw the two options: a gamble, with its loss to the left of 0 and its gain to the right, or a payoff of 0."""
    y, middle, most = box.top + 170, box.x(0.5), max(form.gain, form.loss, 1e-9)
    half = box.width / 2 - 80
    _option(canvas, form.choice, "accept", "accept: either, with equal chances", box, (box.left, box.top + 90))
    canvas.panel((middle - half * form.loss / most, y, middle - 2, y + 60), hues.LOSS, 4)
    canvas.panel((middle + 2, y, middle + half * form.gain / most, y + 60), hues.GAIN, 4)
    canvas.text((middle - half * form.loss / most - 10, y + 30), f"−{figure(form.loss)}", 22, hues.INK, anchor="rm")
    canvas.text((middle + half * form.gain / most + 10, y + 30), f"+{figure(form.gain)}", 22, hues.INK)
    _option(canvas, form.choice, "reject", "reject: 0", box, (box.left, box.top + 320))


def _budget(canvas: Canvas, form: effects.BudgetForm, box: Box, cast: FilmCast) -> None:
    """Draw the budget line, and the bundle that was chosen."""
    most = [form.income / price for price in form.prices]
    scale, left, foot = 380 / max(*most, 1e-9), box.left + 80, box.top + 460
    canvas.draw.line((left, box.top + 60, left, foot), fill=hues.LINE, width=2)
    canvas.draw.line((left, foot, left + 420, foot), fill=hues.LINE, width=2)
    canvas.stroke(((left, foot - most[1] * scale), (left + most[0] * scale, foot)), 3, hues.GAIN)
    canvas.text((left - 10, foot - most[1] * scale), figure(most[1]), 15, hues.FAINT, anchor="rm")
    canvas.text((left + most[0] * scale, foot + 18), figure(most[0]), 15, hues.FAINT, anchor="mm")
    if form.bought is None:
        return
    other = (form.income - form.bought * form.prices[0]) / form.prices[1]
    canvas.disc((left + form.bought * scale, foot - other * scale), 9, hues.COIN)
    for row, (amount, price) in enumerate(zip((form.bought, other), form.prices, strict=True)):
        words = f"good {row + 1}, at {figure(price)}: {figure(amount)}"
        canvas.text((left + 460, box.top + 100 + 34 * row), words, 19, hues.INK, width=box.right - left - 460)


_DRAWINGS: Final[dict[type, Callable[[Canvas, Any, Box, FilmCast], None]]] = {
    effects.Split: _split,
    effects.FlowForm: _flow,
    effects.MatrixForm: _matrix,
    effects.Tree: _tree,
    effects.NumberLine: _line,
    effects.FundForm: _fund,
    effects.Dates: _dates,
    effects.Lotteries: _lotteries,
    effects.Gamble: _gamble,
    effects.BudgetForm: _budget,
}


def draw_form(canvas: Canvas, form: effects.Form, box: Box, cast: FilmCast) -> None:
    """Draw any form."""
    _DRAWINGS[type(form)](canvas, form, box, cast)
