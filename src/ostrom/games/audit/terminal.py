"""What `ostrom audit` shows: a table, a sentence and a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ostrom.cli.output import Sheet
    from ostrom.core.estimates import Estimate
    from ostrom.games.audit.auditing import AuditPlan
    from ostrom.games.audit.effects import Answers, Audit


def sheet(found: "Audit", answers: "Answers", planned: "AuditPlan") -> "Sheet":
    """The shares for people."""
    from ostrom.cli.output import Column, Sheet

    rows: list[Sequence[str]] = [
        [
            factor.name,
            *_share(factor.share),
            "–" if factor.p is None else f"{factor.p:.3f}",
            ", ".join(f"{level.name} {level.mean:.1%}" for level in factor.levels),
        ]
        for factor in found.factors
    ]
    rows += [["in combination", *_share(found.combinations), "", "beyond the factors' mean effects"]]
    rows += [["noise", *_share(found.noise), "", "between answers to the very same question"]]
    left_out = [
        f"{count} {word}" for count, word in ((answers.defaulted, "defaulted"), (answers.unplaced, "without it"))
    ]
    return Sheet(
        title=f"What moves the {answers.aspect} of {planned.contestant.name} at {planned.where}",
        columns=[
            Column("factor"),
            Column("share", number=True),
            Column("95 % interval", number=True, spare=1),
            Column("p", number=True, spare=2),
            Column("mean under each level", wraps=True),
        ],
        rows=rows,
        caption=(
            f"Shares of the variance within situations; {found.answers:,} answers in {found.situations} situations, "
            f"left out: {', '.join(left_out)}. Mean {found.mean:.1%}, deviation {100 * found.deviation:.1f} points."
        ),
        best=1 if found.leading is not None else 0,
    )


def _share(share: "Estimate") -> tuple[str, str]:
    value = "–" if share.value is None else f"{share.value:.1%}"
    return value, "–" if share.low is None or share.high is None else f"{share.low:.1%} to {share.high:.1%}"


def sentence(found: "Audit", name: str) -> str:
    """What the audit found, in plain words."""
    if found.noise.value is None:
        return f"{name} decides the same in a situation, however the question is put."
    told = [factor for factor in found.factors if factor.stands(len(found.factors))]
    if not told and found.combined:
        return (
            f"No single factor is told apart from chance, but how the question is put moves {name}'s decisions: "
            f"{_spoken(found.combinations)} of their variance within a situation comes from factors in combination."
        )
    if not told:
        return (
            f"No factor is told apart from chance: as far as {found.answers:,} answers show, {name}'s decisions do not "
            "depend on how the question is put."
        )
    parts = [f"{_spoken(factor.share)} comes from {factor.name}" for factor in told]
    high, low = told[0].levels[0], told[0].levels[-1]
    return (
        f"How the question is put moves {name}'s decisions: of their variance within a situation, "
        f"{' and '.join(parts)}. "
        f"The mean decision is {high.mean:.0%} under {high.name} and {low.mean:.0%} under {low.name}."
    )


def _spoken(share: "Estimate") -> str:
    span = "" if share.low is None or share.high is None else f" ({share.low:.0%} to {share.high:.0%})"
    return f"{share.value:.0%}{span}"


def draw(found: "Audit", answers: "Answers", planned: "AuditPlan", output: Path) -> None:
    """Write the picture."""
    from ostrom.charts.render import png, svg
    from ostrom.core import InputError
    from ostrom.games.audit.charts import audit_chart

    who, where = planned.contestant.name, planned.where
    title = f"How the question is put does not visibly move {who}"
    if found.leading is not None:
        told = found.leading
        title = f"{told.share.value:.0%} of the variance in decisions of {who} comes from {told.name}"
    elif found.combined:
        title = (
            f"{found.combinations.value:.0%} of the variance in decisions of {who} comes from factors in combination"
        )
    subtitle = f"{answers.aspect.capitalize()} at {where}: {found.answers:,} answers in {found.situations} situations."
    picture = svg(audit_chart(found, title=title, subtitle=subtitle, aspect=answers.aspect))
    try:
        output.write_bytes(png(picture) if output.suffix.lower() == ".png" else picture.encode())
    except OSError as error:
        raise InputError(f"{output} cannot be written: {error.strerror}") from error
