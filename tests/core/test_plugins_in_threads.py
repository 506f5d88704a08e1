"""Threads that ask for games at once all find all of them."""

import threading

from ostrom.core.plugins import Games


def test_threads_that_ask_at_once_find_every_game() -> None:
    expected = set(Games())
    games, found = Games(), []
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        found.append("matching_pennies" in games and set(games) == expected)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8
