"""Every measure of Contribute & Punish. What a measure is, and what its rows hold, is told in `measure.py`."""

from ostrom.analysis.measures import Measure, answer_quality, enter, flawed_answers
from ostrom.core import Registry
from ostrom.games.contribute_punish.measures.conduct import (
    aggregate_contribution_by_round,
    aggregate_punishment_by_round,
    antisocial_punishment,
    antisocial_share,
    balance_by_round,
    contribution_percent,
    contribution_percent_by_round,
    contribution_percent_pooled,
    contribution_percent_strip,
    contribution_tokens,
    contribution_tokens_strip,
    damage_received_percent,
    endgame_drop,
    final_strip,
    mean_final,
    median_final,
    partners_final,
    punishment_spent_percent,
    punishment_spent_percent_by_round,
    rank_by_round,
    retaliation_rate,
    seat_effects,
    unprovoked_punishment,
    unprovoked_share,
)
from ostrom.games.contribute_punish.measures.welfare import inequality, welfare
from ostrom.games.contribute_punish.measures.words import promise_keeping, promise_share
from ostrom.games.contribute_punish.tables import Tables

MEASURES: Registry[Measure[Tables]] = Registry("measure")

_PLAYER_ROUND = ("player", "round")
enter(MEASURES, mean_final, "Mean final tokens", "tokens")
enter(MEASURES, median_final, "Median final tokens", "tokens")
enter(MEASURES, final_strip, "Final tokens, every seat", "tokens", ())
enter(MEASURES, balance_by_round, "Balance by round", "tokens", _PLAYER_ROUND)
enter(MEASURES, rank_by_round, "Rank by round", "rank", _PLAYER_ROUND)
enter(MEASURES, partners_final, "Partners' final tokens", "tokens")
enter(MEASURES, aggregate_contribution_by_round, "Aggregate contribution by round", "share", ("round",))
enter(MEASURES, contribution_tokens, "Mean contribution in tokens", "tokens")
enter(MEASURES, contribution_percent, "Mean contribution as a part of the balance", "share")
enter(MEASURES, contribution_percent_pooled, "Contribution as a part of all that was held", "share")
enter(MEASURES, contribution_percent_by_round, "Contribution by round", "share", _PLAYER_ROUND)
enter(MEASURES, contribution_percent_strip, "Contribution as a part of the balance, every decision", "share", ())
enter(MEASURES, contribution_tokens_strip, "Contribution in tokens, every decision", "tokens", ())
enter(MEASURES, aggregate_punishment_by_round, "Aggregate punishment by round", "share", ("round",))
enter(MEASURES, punishment_spent_percent, "Punishment spent", "share")
enter(MEASURES, punishment_spent_percent_by_round, "Punishment spent by round", "share", _PLAYER_ROUND)
enter(MEASURES, damage_received_percent, "Damage received", "share")
enter(MEASURES, retaliation_rate, "Retaliation rate", "share")
enter(MEASURES, promise_keeping, "Promises kept", "share", parts=promise_share)
enter(MEASURES, unprovoked_punishment, "Unprovoked punishment", "share", parts=unprovoked_share)
enter(MEASURES, antisocial_punishment, "Antisocial punishment", "share", parts=antisocial_share)
enter(MEASURES, welfare, "Welfare", "share")
enter(MEASURES, inequality, "Inequality", "Gini")
enter(MEASURES, endgame_drop, "Endgame drop", "share")
enter(MEASURES, seat_effects, "Seat effects", "tokens", ("seat",))
enter(MEASURES, answer_quality, "Answers repaired or defaulted", "share", parts=flawed_answers)
