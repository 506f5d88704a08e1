"""Limits of games and players hold, however many calls are in flight, over retries and restarts; and a run pauses where
too many answers are defaulted."""

import asyncio
import random
from collections import Counter, defaultdict
from types import SimpleNamespace

import pytest
from in_memory import Model, Runs, Same, fixture, honest, random_model, run

from ostrom.core import Call, Fault, InputError, Usage
from ostrom.core.errors import spell_fields
from ostrom.experiment import cluster
from ostrom.experiment.accounts import DefaultedShare, Used, used_in_game
from ostrom.experiment.limits import Allowance, Limits, check_allowances, check_prices, limits_of
from ostrom.journal.spending import SentCall
from ostrom.players.base import Reply, Unanswered
from ostrom.terminal.settings import as_option


def calls_in(ledger):
    return [call for some in ledger.all_calls.values() for call in some]


def used_by(runs, names):
    """What each player used up, by the ledgers, as a journal adds it up."""
    sums = defaultdict(Counter)
    for ledger in runs.ledgers.values():
        for (_turn, _phase, seat), calls in ledger.all_calls.items():
            for call in calls:
                tokens = (call.usage.tokens if call.usage else 0) or call.extra.get("reserved_tokens", 0)
                dollars = call.reserved if call.cost is None else call.cost
                sums[names[seat]].update(calls=1, tokens=tokens, dollars=dollars, seconds=call.latency)
    return {name: Used(**used) for name, used in sums.items()}


def in_shell(outcome):
    """The limits that were reached, as a command spells them."""
    return {spell_fields(why, as_option): spell_fields(setting, as_option) for why, setting in outcome.reached.items()}


def test_a_game_that_has_made_its_calls_is_suspended_and_others_go_on():
    chatty = Model("chatty", act=lambda question, reference: "no number" if reference.endswith("/1") else "3")
    games = [fixture(chatty, key="long", turns=5), *(fixture(chatty, key=f"g{n}", turns=2) for n in range(5))]
    runs = Runs(games, Limits(game_calls=4))
    outcome = runs.run()
    assert (outcome.finished, outcome.unfinished, outcome.stopped) == (5, 1, None)
    assert in_shell(outcome) == {"the limit of 4 calls for one game is reached (--game-calls)": "--game-calls MORE"}
    stored_reason = "the limit of 4 calls for one game is reached (game_calls)"
    assert runs.ledgers["long"].suspended == (stored_reason, "game_limit")
    assert len(calls_in(runs.ledgers["long"])) == 4
    again = runs.run()
    assert (again.unfinished, len(calls_in(runs.ledgers["long"]))) == (1, 4)
    assert runs.run(limits=Limits(game_calls=10)).finished == 1
    assert len(chatty.sent) == len(set(chatty.sent)) == 30, "what was kept is not asked again"


def test_seats_that_are_asked_at_once_do_not_pass_the_limit_together():
    model = Model()
    runs = Runs([fixture(model, model, model, turns=3)], Limits(game_calls=4))
    assert runs.run().unfinished == 1
    assert len(model.sent) == 4


@pytest.mark.parametrize(
    ("limits", "option", "most"),
    [
        ({"game_tokens": 500}, "--game-tokens", 8),
        ({"game_budget": 0.03}, "--game-budget", 6),
        ({"game_seconds": 7.5, "timeout": 2}, "--game-seconds", 12),
    ],
)
def test_tokens_dollars_and_time_of_a_game_are_limited_with_calls_at_their_bounds(limits, option, most):
    """A call counts as 150 tokens, $0.01 and 2 s until it is back, and comes to 50 tokens, $0.004 and 1 s."""
    model = Model()
    runs = Runs([fixture(model, model, turns=20)], Limits(**limits))
    outcome = runs.run()
    assert list(in_shell(outcome).values()) == [f"{option} MORE"]
    assert len(model.sent) == most


def test_a_player_that_has_reached_its_limit_stops_its_own_games_only():
    dear, cheap = Model("dear"), Model("cheap")
    games = [fixture(one, Same(), key=f"{one.name}-{n}", turns=2) for n in range(10) for one in (dear, cheap)]
    runs = Runs(games, Limits(players={"dear": Allowance(calls=7)}))
    outcome = runs.run()
    assert (len(dear.sent), len(cheap.sent)) == (7, 20)
    assert (outcome.stopped, outcome.unavailable) == (None, {})
    reason = "the limit of 7 calls for the player dear is reached (--limit-player)"
    assert in_shell(outcome) == {reason: "--limit-player dear:calls=MORE"}
    assert outcome.finished + outcome.unfinished == 20
    used = used_by(runs, ["dear", "same"])
    again = runs.run(used=used)
    assert (again.finished, len(dear.sent)) == (0, 7)
    assert runs.run(used=used, limits=Limits(player_calls=100)).unfinished == 0
    assert len(dear.sent) == len(set(dear.sent)) == 20


def test_two_players_of_one_model_have_limits_of_their_own():
    """Two bots on one model share its line: one that has to wait or is exhausted holds up nobody else."""
    model = Model("model")
    ash, bay = SimpleNamespace(name="ash", sit=model.sit), SimpleNamespace(name="bay", sit=model.sit)
    runs = Runs([fixture(ash, key="a", turns=5), fixture(bay, key="b", turns=5)], Limits(players={"ash": {"calls": 2}}))
    outcome = runs.run()
    assert (outcome.finished, outcome.unfinished) == (1, 1)
    assert len(calls_in(runs.ledgers["a"])) == 2


def test_a_players_calls_in_several_games_at_once_count_together():
    model = Model(delay=3.0)
    limits = Limits(player_seconds=20, timeout=5, calls=64, per_provider=64)
    runs = Runs([fixture(model, key=f"g{n}", turns=2) for n in range(20)], limits)
    outcome = runs.run()
    assert model.peak == 4, "a call may take 5 s, so that no more than four are out"
    assert list(in_shell(outcome).values()) == ["--player-seconds MORE"]
    assert len(model.sent) == 6, "3 s each; a seventh might take 5 s and pass 20"


@pytest.mark.parametrize("seed", range(12))
def test_no_limit_is_passed_whatever_calls_do_and_however_often_a_run_is_restarted(seed):
    """Limits of games and of players at once, random faults, stops at random moments."""
    draw = random.Random(seed)
    worst = draw.choice([0.001, 0.01])
    models = [Model(name, act=random_model(draw, worst), delay=0.0, most_cost=worst) for name in ("ash", "bay")]
    names = ["ash", "bay", "ash"]
    most = {
        "game_calls": draw.choice([None, 12]),
        "game_tokens": draw.choice([None, 1500]),
        "game_budget": draw.choice([None, 10 * worst]),
        "player_calls": draw.choice([None, 80]),
        "player_tokens": draw.choice([None, 6_000]),
        "player_budget": draw.choice([None, 40 * worst]),
        "player_seconds": draw.choice([None, 60.0]),
    }
    limits = Limits(calls=64, per_provider=64, timeout=5, pause_at_defaults=1, **most)
    games = [fixture(models[0], models[1], models[0], key=f"g{n}", turns=5) for n in range(20)]
    runs = Runs(games, limits)
    for restart in range(4):
        from_before = used_by(runs, names)

        async def play(used=from_before, last=restart == 3):
            task = asyncio.create_task(runs.play(used=used))
            if not last:
                await asyncio.wait([task], timeout=draw.uniform(0.5, 20))
                task.cancel()
            return (await asyncio.gather(task, return_exceptions=True))[0]

        outcome = run(play())
        assert not isinstance(outcome, Exception)
    sums = used_by(runs, names)
    for ledger in runs.ledgers.values():
        calls = calls_in(ledger)
        assert len(calls) <= (most["game_calls"] or 1e9)
        tokens = [(call.usage.tokens if call.usage else 0) or call.extra.get("reserved_tokens", 0) for call in calls]
        assert sum(tokens) <= (most["game_tokens"] or 1e9)
        assert sum(call.reserved if call.cost is None else call.cost for call in calls) <= (most["game_budget"] or 1e9)
    for used in sums.values():
        assert used.calls <= (most["player_calls"] or 1e9)
        assert used.tokens <= (most["player_tokens"] or 1e9)
        assert used.dollars <= (most["player_budget"] or 1e9)
        assert used.seconds <= (most["player_seconds"] or 1e9) + 1e-6
    assert outcome.finished + outcome.unfinished + outcome.void + outcome.left_out == 20
    assert all(not model.in_flight for model in models)


def test_a_model_that_is_given_up_meanwhile_leaves_nobody_waiting_at_an_account():
    model = Model(act=lambda question, reference: Unanswered(Fault.DENIED, "401"), delay=2.0)
    runs = Runs([fixture(model, model, model)], Limits(player_tokens=200))
    outcome = runs.run()
    assert (outcome.unfinished, list(outcome.unavailable)) == (1, ["model"])


def test_a_charge_beyond_the_bound_stops_a_model_where_only_a_player_has_a_limit():
    model = Model(act=lambda question, reference: Reply("3", Usage(5000, 10), 0.004, "stop", {}))
    runs = Runs([fixture(model, key=f"g{n}") for n in range(5)], Limits(player_tokens=100_000, calls=1))
    outcome = runs.run()
    assert len(model.sent) == 1
    assert "5,010 tokens for a call that may use at most 150" in outcome.unavailable["model"]


def test_limits_that_cannot_be_kept_are_refused():
    model = Model("cheap", priced=False)
    for limits in (Limits(game_budget=1), Limits(player_budget=1), Limits(players={"cheap": {"budget": 1}})):
        with pytest.raises(InputError, match="no price is known for cheap"):
            check_prices([model], limits)
        with pytest.raises(InputError, match="no price"):
            Runs([fixture(model)], limits).run()
    check_prices([model], Limits(players={"dear": {"budget": 1}}))
    with pytest.raises(InputError, match="a limit of 60 s allows no call, because a call may take 120 s"):
        check_allowances([model], Limits(game_seconds=60))
    with pytest.raises(InputError, match="there is a limit for 'chaep', who does not play"):
        check_allowances([model], Limits(players={"chaep": {"calls": 1}}))
    assert not model.sent


def test_the_time_of_a_game_goes_over_its_runs_and_leaves_out_what_is_between_them():
    def call(at, latency):
        return Call(1, f"2026-01-01T{at}+00:00", "m", {}, (), "3", Usage(40, 10), latency, cost=0.01)

    ledger = SimpleNamespace(
        calls={1: [call("10:00:01.000", 2.0), call("10:00:08.500", 1.5)], 2: [call("12:00:00.250", 4.0)]},
        sent=[SentCall("2026-01-01T12:00:05.000+00:00", 0.02, 150, 0)],
        runs=["2026-01-01T10:00:00+00:00", "2026-01-01T12:00:00+00:00", "2026-01-01T12:00:30+00:00"],
    )
    used = used_in_game(ledger, timeout=10)
    assert used == Used(4, 300, pytest.approx(0.05), pytest.approx(9.0 + 14.75))
    assert used_in_game(ledger, timeout=120).seconds == pytest.approx(9.0 + 29.75), "at most until the next run began"


def test_a_run_pauses_where_a_model_leaves_most_questions_without_a_legal_answer():
    def act(question, reference):
        return "no" if question.turn % 2 else "no number"

    broken, fine = Model("broken", act=act), Model("fine")
    games = [fixture(one, key=f"{one.name}{n}", turns=10) for n in range(20) for one in (broken, fine)]
    runs = Runs(games, Limits(calls=4, games=4))
    outcome = runs.run()
    assert outcome.stopped == "defaults"
    assert outcome.pausing.startswith("paused: broken gave no legal answer to 20 of its last 20 questions (")
    assert "refused" in outcome.pausing
    assert "malformed" in outcome.pausing
    decided = {key: dict(ledger.all_decisions) for key, ledger in runs.ledgers.items()}
    before = len(broken.sent) + len(fine.sent)
    assert before < 200, "it did not go on for long"
    assert runs.run(limits=Limits(pause_at_defaults=1)).unfinished == 0
    for key, ledger in runs.ledgers.items():
        assert decided.get(key, {}).items() <= ledger.all_decisions.items()
    assert len(broken.sent + fine.sent) == len(set(broken.sent + fine.sent)), "nothing that was kept is asked again"


def test_voided_games_pause_a_run_too():
    broken = Model(act=lambda question, reference: "no")
    outcome = Runs([fixture(broken, key=f"g{n}") for n in range(100)], Limits(policy="void", calls=1, games=1)).run()
    assert (outcome.stopped, outcome.void) == ("defaults", 20)


def test_a_few_defaulted_answers_pause_nothing():
    few = Model(act=lambda question, reference: "no" if question.turn % 5 == 0 else honest(question, reference))
    games = [fixture(few, key=f"g{n}", turns=10) for n in range(10)]
    assert Runs(games, Limits()).run().stopped is None
    assert Runs(games, Limits(pause_at_defaults=0.2)).run().stopped == "defaults"


def test_a_model_that_stops_answering_late_in_a_run_is_noticed():
    share = DefaultedShare(0.5)
    for _ in range(10_000):
        assert share.note("m", None, answered=True) is None
    for _ in range(49):
        assert share.note("m", Fault.ILLEGAL, answered=False) is None
    assert share.note("m", Fault.ILLEGAL, answered=False) is not None


def test_parts_that_workers_hold_never_pass_a_players_limit_together(monkeypatch):
    whole, mine = {"ash": Used(20, 0, 0.5, 0.0)}, {"ash": Used(5, 0, 0.1, 0.0)}
    monkeypatch.setattr(
        cluster, "used_by_player", lambda journal, name, limits, keys=None: whole if keys is None else mine
    )
    client = SimpleNamespace(nthreads=lambda: {"one": 2, "two": 2})
    limits = Limits(player_calls=100, players={"bay": {"budget": 1.0}})
    coordinator = cluster._Coordinator(client, None, "sqlite:///x.db", "e", limits, print, ["ash", "bay"])
    for idle in (4, 3, 2, 1):
        more, parts = coordinator._player_parts(["key"], idle)
        assert (more["ash"].calls, parts["ash"].calls) == (20, 25), "a worker counts what its own games have used up"
        coordinator._assignments[idle] = cluster._Assignment(["key"], 0.0, 0, more, False)
    assert sum(out.players["ash"].calls for out in coordinator._assignments.values()) + 20 == 100
    assert sum(out.players["bay"].budget for out in coordinator._assignments.values()) == pytest.approx(1.0)
    assert coordinator._player_parts(["key"], 1)[0]["ash"].calls == 0


def test_changed_limits_leave_the_others_as_they_are():
    limits = Limits(budget=2, players={"ada": Allowance(calls=3, tokens=100), "bob": Allowance(calls=5)})
    changed = limits.updated(Limits(calls=8, players={"ada": Allowance(calls=9)}))
    players = {"ada": Allowance(calls=9, tokens=100), "bob": Allowance(calls=5)}
    assert changed == Limits(calls=8, budget=2, players=players)
    assert limits.updated(limits_of({"budget": 1})).players == limits.players
