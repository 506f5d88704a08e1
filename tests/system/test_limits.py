"""Limits of games and players by the provider's own account, over kills; and a run that pauses where answers are
defaulted."""

import signal
from collections import Counter

import pytest
from system_lab import Lab, calls_of, ended, experiment, sent_when

from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

GAMES, ROUNDS, SEATS = 6, 2, 4


def prepared(lab: Lab, base_url: str, more: str = "", **limits: object) -> None:
    for name in ("ash", "bay"):
        lab.bot(name, base_url, max_tokens=200)
    rules = {"rounds": ROUNDS, "messages": False}
    text = experiment(
        games={"punish": rules},
        include=["ash:3", "bay:3"],
        repetitions=GAMES,
        seats=SEATS,
        limits={"calls": 24, **limits},
    )
    (lab.folder / "experiment.toml").write_text(text + more)


def asked(provider: ProviderProcess) -> int:
    return int(provider.account()["requests"])


def killed(lab: Lab, provider: ProviderProcess, *command: object) -> None:
    """Kill a command that has calls out."""
    before = asked(provider)
    running = lab.start(*command)
    sent_when(running, signal.SIGKILL, lambda: asked(provider) >= before + 5)
    ended(running)


def test_limits_of_games_and_players_hold_over_kills(lab: Lab) -> None:
    with provider_process(
        "--delay", 0.15, "--jitter", 0.5, "--fault", "illegal=0.1", "--log", lab.folder / "log"
    ) as one:
        prepared(lab, one.base_url, "[limits.players.bay]\ncalls = 20\n", player_calls=30)
        killed(lab, one, "bench", "--file", "experiment.toml")
        killed(lab, one, "resume")
        done = lab.run("resume")
        assert done.status == 1, done
        assert "the limit of 20 calls for the player bay is reached (--limit-player)" in done.err
        assert "Resume with: ostrom resume punish-1" in done.complaints[-1]
        assert "--limit-player bay:calls=MORE" in done.complaints[-1]
        by_model = one.account()["models"]
        assert by_model["ash"]["requests"] <= 30
        assert by_model["bay"]["requests"] <= 20
        first = lab.status()
        assert sum(first["suspended"].values()) >= 1
        shown = lab.must("status").out
        assert "suspended games" in shown
        assert "the limit of" in shown
        kept = asked_before(lab)
        again = lab.run("resume", "--player-calls", 10_000, "--limit-player", "bay:calls=10000", "--game-calls", 3)
        assert again.status == 1
        assert "the limit of 3 calls for one game is reached (--game-calls)" in again.err
        lab.must("resume", "--player-calls", 10_000, "--limit-player", "bay:calls=10000", "--game-calls", 500)
        last = lab.status()
    assert (last["state"], last["games"], last["suspended"]) == ("finished", GAMES, {})
    assert asked_before(lab) >= kept, "what was kept is there as it was, and once"


def asked_before(lab: Lab) -> Counter[tuple[object, ...]]:
    with lab.journal() as journal:
        return Counter((game, *key, call.attempt, call.reply) for game, key, call in calls_of(journal))


def test_a_run_pauses_where_a_model_does_not_answer(lab: Lab) -> None:
    with provider_process("--models", "ash,bay", "--fault-model", "bay=refusal:1") as provider:
        prepared(lab, provider.base_url)
        done = lab.run("bench", "--file", "experiment.toml")
        assert done.status == 1, done
        assert "paused: bay gave no legal answer to 20 of its last 20 questions (20 refused)" in done.complaints[-1]
        assert "and the limit pause_at_defaults is 0.5" in done.complaints[-1]
        assert "Resume with: ostrom resume punish-1" in done.complaints[-1]
        kept = asked_before(lab)
        lab.must("resume", "--pause-at-defaults", 1)
        assert lab.status()["state"] == "finished"
        assert asked(provider) == lab.status()["calls"]["calls"], "nothing that was kept was asked again"
    assert asked_before(lab) >= kept
