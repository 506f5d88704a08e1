"""Every measure of the Commons. What a measure is, and what its rows hold, is told where
`ostrom.study.measures.measure` defines it."""

from ostrom.study.commons.conduct import (
    contribution,
    contribution_by_turn,
    cooperation_by_turn,
    exclusion_rate,
    lobbying,
    lobbying_share,
    votes_cast,
    votes_received,
)
from ostrom.study.commons.outcomes import (
    capital_by_turn,
    capital_inequality,
    capital_strip,
    mean_capital,
    mean_rank,
    synergy_by_turn,
)
from ostrom.study.commons.tables import CommonsTables
from ostrom.study.measures.measure import Measure, enter
from ostrom.study.measures.quality import answer_quality, flawed_answers
from ostrom.table import Registry

COMMONS_MEASURES: Registry[Measure[CommonsTables]] = Registry("measure of the Commons")

_PLAYER_TURN = ("player", "turn")
enter(COMMONS_MEASURES, mean_capital, "Mean final capital", "capital")
enter(COMMONS_MEASURES, capital_strip, "Final capital, every seat", "capital", ())
enter(COMMONS_MEASURES, mean_rank, "Mean rank", "rank")
enter(COMMONS_MEASURES, capital_by_turn, "Capital by turn", "capital", _PLAYER_TURN)
enter(COMMONS_MEASURES, synergy_by_turn, "Synergy by turn", "factor", ("turn",))
enter(COMMONS_MEASURES, capital_inequality, "Inequality of capital", "Gini")
enter(COMMONS_MEASURES, contribution, "Mean contribution", "share")
enter(COMMONS_MEASURES, contribution_by_turn, "Contribution by turn", "share", _PLAYER_TURN)
enter(COMMONS_MEASURES, cooperation_by_turn, "Cooperation by turn", "share", ("turn",))
enter(COMMONS_MEASURES, lobbying, "Lobbying", "share", parts=lobbying_share)
enter(COMMONS_MEASURES, votes_cast, "Votes cast", "share")
enter(COMMONS_MEASURES, votes_received, "Votes received", "votes")
enter(COMMONS_MEASURES, exclusion_rate, "Exclusion rate", "share")
enter(COMMONS_MEASURES, answer_quality, "Answers repaired or defaulted", "share", parts=flawed_answers)
