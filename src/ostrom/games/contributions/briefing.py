"""The briefing of voluntary contributions. Every prompt is self-contained: it has all that the seat may know of all
rounds, and the messages of the last few rounds."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from typing_extensions import override

from ostrom.core import Chance, Question
from ostrom.core.spoken import removed_at_once
from ostrom.games.contributions import ContributionsView, OwnContributions, PastContributions
from ostrom.games.contributions.play import CONTRIBUTION, MESSAGE
from ostrom.games.contributions.points import LEAVE, STAY, points_field
from ostrom.games.contributions.rules import ALL_OR_NOTHING, DEDUCT, OPT_OUT, REWARD, ContributionsRules
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, TextField
from ostrom.players.models.framing import SEAT_FIRST, SHARED_FIRST, Framing, plain
from ostrom.players.models.optional_fields import ConditionalField
from ostrom.players.models.prompting import template

_OPTIONS = ((STAY, STAY), (LEAVE, LEAVE))


@dataclass(frozen=True, slots=True)
class PointsField(NumberField):
    """The points for one seat. A framing may rename seats, so the value names the field of the specification."""

    key: str = ""

    # A dataclass with slots is created twice, and `super` refers to the first class. So methods of the base class are
    # called by name.

    @override
    def from_tag(self, text: str) -> Any:
        return {self.key: NumberField.from_tag(self, text)}

    @override
    def from_json(self, answer: Mapping[str, Any]) -> Any:
        return {self.key: NumberField.from_json(self, answer)}


class ContributionsBriefing(Briefing):
    """The briefing of voluntary contributions."""

    prompts = Path(__file__).parent / "prompts"
    translations = Path(__file__).parent / "translations"

    @override
    def rules_context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: ContributionsView = question.view
        labels = self.labels(question, framing, chance, len(view.present))
        return {
            "rules": view.rules,
            "names": [labels[seat] for seat in framing.listed(len(labels))],
            "me": labels[view.seat] if framing.layout == SEAT_FIRST else "",
            "points": bool(view.rules.kinds),
            "all_or_nothing": view.rules.contribution == ALL_OR_NOTHING,
            "opt_out": view.rules.default == OPT_OUT,
            "loss": self._loss_words(view.rules, framing),
            "increasing": view.rules.punish_growth == "increasing",
            # With rounds that players do not know, no later prompt may differ in its number of rounds.
            "rounds": view.rules.last_round,
        }

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: ContributionsView = question.view
        labels = self.labels(question, framing, chance, len(view.present))
        present = [] if framing.layout == SHARED_FIRST else [self._present_text(view, framing, labels)]
        return {
            **self.rules_context(question, framing, chance),
            "view": view,
            "me": labels[view.seat],
            "labels": labels,
            "past_rounds": [text for text in [*self._past_texts(view, framing, labels), *present] if text]
            if framing.layout == SEAT_FIRST
            else [],
            "own": [
                (past.round, own, _points_of(own, labels, self))
                for past, own in zip(view.history, view.own, strict=False)
            ],
            "here": [labels[seat] for seat in framing.listed(len(labels)) if seat in view.others],
        }

    @override
    def past(self, question: Question, framing: Framing, chance: Chance) -> Sequence[str]:
        view: ContributionsView = question.view
        labels = self.labels(question, framing, chance, len(view.present))
        present = self._present_text(view, framing, labels)
        return [*self._past_texts(view, framing, labels), *([present] if present else [])]

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: ContributionsView = question.view
        rules = view.rules
        if question.phase == MESSAGE:
            return (TextField(MESSAGE, rules.message_words),)
        stays = (ChoiceField(STAY, _OPTIONS),) if rules.leave else ()
        if question.phase == CONTRIBUTION:
            return (*stays, self._if_staying(question, self._contribution(question, framing)))
        labels = self.labels(question, framing, chance, len(view.present))
        spec: Any = question.spec
        fields = []
        for kind in rules.kinds:
            for seat in (seat for seat in framing.listed(len(labels)) if seat in view.others):
                part = spec.specs[points_field(kind, seat)]
                most = part.of.high if rules.leave else part.high
                # Points are not amounts of money, so a framing's scale does not apply.
                field = PointsField(f"{kind}_{labels[seat]}", 0, most, whole=True, key=points_field(kind, seat))
                fields.append(self._if_staying(question, field))
        return (*stays, *fields)

    def _contribution(self, question: Question, framing: Framing) -> AnswerField:
        most = question.view.rules.endowment
        if question.view.rules.contribution == ALL_OR_NOTHING:
            return ChoiceField(CONTRIBUTION, (("0", 0), (str(most * framing.scale), most)))
        return NumberField(CONTRIBUTION, 0, most, whole=True, scale=framing.scale)

    def _if_staying(self, question: Question, field: AnswerField) -> AnswerField:
        return ConditionalField(field, STAY, ((STAY, STAY),)) if question.view.rules.leave else field

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        rules = question.view.rules
        if question.phase != "points":
            return dict(values) if question.phase == CONTRIBUTION and rules.leave else next(iter(values.values()))
        spec: Any = question.spec
        points = {key: number for one in values.values() if isinstance(one, Mapping) for key, number in one.items()}
        return {name: values[STAY] if name == STAY else points.get(name) for name in spec.specs}

    def _loss_words(self, rules: ContributionsRules, framing: Framing) -> str:
        """Return what a deduction point takes from its target, in words."""
        if rules.punish_scale == "percent":
            return f"{plain(rules.punish_loss)}{self.word('% of its income in the round')}"
        return framing.money(rules.punish_loss)

    def _past_texts(self, view: ContributionsView, framing: Framing, labels: Sequence[str]) -> list[str]:
        rounds, window = view.round - 1, view.rules.message_rounds
        removed = removed_at_once(rounds, window) if framing.layout == SHARED_FIRST else max(0, rounds - window)
        return [
            self._round_text(view, past, past.messages if past.round > removed else (), framing, labels)
            for past in view.history
        ]

    def _present_text(self, view: ContributionsView, framing: Framing, labels: Sequence[str]) -> str:
        """Return the description of the present round as far as all seats know it; it is empty at the beginning. It is
        the beginning of the text that describes the round after its end, so that prompts share a prefix."""
        if not view.said and view.total is None:
            return ""
        share = view.share or 0.0
        present = PastContributions(view.round, view.contributions or (), view.total or 0, 0.0, share, (), view.said)
        return self._round_text(view, present, view.said, framing, labels, over=view.total is not None)

    def _round_text(
        self,
        view: ContributionsView,
        past: PastContributions,
        messages: Sequence[tuple[int, str]],
        framing: Framing,
        labels: Sequence[str],
        *,
        over: bool = True,
    ) -> str:
        listed = framing.listed(len(labels))
        context = {
            "framing": framing,
            "rules": view.rules,
            "past": past,
            "over": over,
            "said": [(labels[seat], text) for seat, text in messages],
            "words": view.rules.message_words,
            "gave": [(labels[seat], past.contributions[seat]) for seat in listed] if past.contributions else [],
            "outcomes": [
                (labels[seat], outcome)
                for seat in listed
                if past.outcomes and (outcome := past.outcomes[seat]) is not None
            ],
            "DEDUCT": DEDUCT in view.rules.kinds,
            "REWARD": REWARD in view.rules.kinds,
        }
        return template(self, framing.variant, "round").render(context).strip()


class OwnPoints(NamedTuple):
    """The points of a kind in a past round, as one seat knows them."""

    kind: str
    assigned: list[tuple[str, int]]
    """The points that the seat assigned, by the label of the target."""
    received: int
    """The sum of the points that it received."""
    givers: list[tuple[str, int]]
    """The points that it received, by the label of the giver; empty if it was not told."""


def _points_of(own: OwnContributions, labels: Sequence[str], briefing: Briefing) -> list[OwnPoints]:
    """Return the points that a seat assigned or received in a past round, by kind."""
    kinds = []
    for kind, word in ((DEDUCT, "deduction"), (REWARD, "reward")):
        rows = [row for row in own.points if row.kind == kind]
        assigned = [(labels[row.target], row.points) for row in rows if row.target != own.seat]
        received = [row for row in rows if row.target == own.seat]
        givers = [(labels[row.giver], row.points) for row in received if row.giver is not None]
        if rows:
            kinds.append(OwnPoints(briefing.word(word), assigned, sum(row.points for row in received), givers))
    return kinds
