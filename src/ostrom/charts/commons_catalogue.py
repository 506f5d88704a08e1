"""Every chart of the Commons' report, in its order, with the measure that it draws."""

from typing import Final

from ostrom.charts import commons_conduct, commons_outcomes, leaderboard
from ostrom.charts.catalogue import RATINGS, Picture, Section

COMMONS_SECTIONS: Final = (
    Section(
        "leaderboard",
        "Who does best",
        (
            Picture(RATINGS, "TrueSkill leaderboard", leaderboard.trueskill),
            Picture("mean_capital", "Mean final capital", commons_outcomes.mean_capital),
            Picture("capital_strip", "Final capital, seat by seat", commons_outcomes.capital_strip, dots=True),
            Picture("mean_rank", "Mean rank", commons_outcomes.mean_rank),
        ),
    ),
    Section(
        "outcomes",
        "How games unfold",
        (
            Picture("capital_by_turn", "Capital by turn", commons_outcomes.capital_by_turn),
            Picture("synergy_by_turn", "Synergy by turn", commons_outcomes.synergy_by_turn),
            Picture("capital_inequality", "Inequality", commons_outcomes.capital_inequality),
        ),
    ),
    Section(
        "contributions",
        "What players give",
        (
            Picture("cooperation_by_turn", "Cooperation by turn", commons_conduct.cooperation_by_turn),
            Picture("contribution", "Mean contribution", commons_conduct.contribution),
            Picture("contribution_by_turn", "Contribution by turn", commons_conduct.contribution_by_turn),
            Picture(
                "contribution_heatmap",
                "Contribution by player and turn",
                commons_conduct.contribution_heatmap,
                measure="contribution_by_turn",
            ),
        ),
    ),
    Section(
        "power",
        "Lobbying and exclusion",
        (
            Picture("lobbying", "Lobbying", commons_conduct.lobbying),
            Picture("votes_received", "Votes received", commons_conduct.votes_received),
            Picture("exclusion_rate", "Exclusions", commons_conduct.exclusion_rate),
        ),
    ),
)
