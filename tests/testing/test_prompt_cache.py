"""The prompt cache of the provider: its rules, its account, and what our calls record of it."""

import pytest

import ostrom
from ostrom.analysis.provenance import provenance_of
from ostrom.core.plugins import GAMES
from ostrom.findings.status import calls_table
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot, Price
from ostrom.testing.provider import CacheRules, Provider
from ostrom.testing.provider.caching import CacheUse, PromptCache

RULES = CacheRules(shortest=16, block=4, lifetime_s=300, write_price=1.25)


def test_a_prefix_is_read_in_whole_blocks_from_the_shortest_length_on():
    cache = PromptCache(RULES)
    text = "x" * 100
    assert cache.read("m", text, 0) == CacheUse(25, 0, 24)
    cache.write("m", text, 0)
    assert cache.read("m", text + "y" * 20, 1) == CacheUse(30, 24, 4)
    assert cache.read("m", text[:70] + "z", 1) == CacheUse(18, 16, 0)
    assert cache.read("m", text[:60], 1) == CacheUse(15, 0, 0)
    assert cache.read("other", text, 1).read_tokens == 0


def test_a_prefix_is_forgotten_if_it_is_not_read_for_five_minutes():
    cache = PromptCache(RULES)
    cache.write("m", "x" * 100, 0)
    assert cache.read("m", "x" * 100, 299).read_tokens == 24
    assert cache.read("m", "x" * 100, 598).read_tokens == 24
    assert cache.read("m", "x" * 100, 899).read_tokens == 0


def test_with_marks_only_what_precedes_one_is_cached():
    cache = PromptCache(RULES)
    cache.write("m", "x" * 100, 0, marks=[80])
    assert cache.read("m", "x" * 100, 0, marks=[80, 96]) == CacheUse(25, 20, 4)
    assert cache.read("m", "x" * 100, 0, marks=[72]).read_tokens == 0


@pytest.mark.parametrize(
    ("combines", "batch", "billed"), [(True, False, 10 + 8 + 12.5), (True, True, 15.25), (False, True, 5 + 5 + 8)]
)
def test_the_bill_counts_reading_writing_and_whether_discounts_combine(combines, batch, billed):
    rules = CacheRules(read_price=0.1, write_price=1.25, batch_price=0.5, combines=combines)
    assert rules.billed(CacheUse(100, 80, 10), batch=batch) == pytest.approx(billed)


def test_shared_characters_are_counted_against_all_earlier_prompts_of_the_model():
    cache = PromptCache(RULES)
    for text in ("rules past a", "rules past b", "rules other", "rules past a more"):
        cache.account("m", text, CacheUse(len(text)))
    counted = cache.summary()["m"]
    assert (counted["characters"], counted["shared_characters"]) == (12 + 12 + 11 + 17, 0 + 11 + 6 + 12)


def test_calls_record_what_the_provider_read_from_its_cache_and_cost_less(tmp_path):
    price = Price(input=10, output=0, cache_read=1)
    store = tmp_path / "j.db"
    with Provider(cache=CacheRules(shortest=256)) as provider:
        bot = Bot(name="b", model="m", base_url=provider.base_url, price=price)
        limits = {"calls": 1}
        ostrom.bench([bot] * 5, game="punish", games=1, seed=1, rules={"rounds": 3}, store=store, limits=limits)
        (account,) = provider.account()["cache"].values()
    with Journal.open(f"sqlite:///{store}") as journal:
        spent = journal.spending("punish-1")
        calls = [call for _, call in journal.calls("punish-1.1")]
        rows = journal.experiments()
        provenance = provenance_of(
            journal, "punish", [GAMES["contribute_punish"]], journal.ended.results(["contribute_punish"]), None
        )
    assert spent.cache_read_tokens == account["read_tokens"] > 0.5 * spent.input_tokens
    plain = spent.input_tokens - spent.cache_read_tokens
    assert spent.cost == pytest.approx((10 * plain + spent.cache_read_tokens) / 1e6)
    assert {call.layout for call in calls} == {2}

    share = f"{100 * spent.cache_read_tokens / spent.input_tokens:.1f}"
    (row,) = calls_table(rows).rows
    assert row["cache_read_tokens"] == spent.cache_read_tokens
    (column,) = (column for column in calls_table(rows).columns if column.name == "cache_read_tokens")
    assert column.text(row) == f"{share} %"
    assert f"{share}% of the input from caches" in dict(entry[:2] for entry in provenance.entries())["Cost"]
