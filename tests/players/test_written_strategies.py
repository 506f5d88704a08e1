"""Written strategies play in a process without rights, whatever their code does."""

import os
import socket
import sys

import pytest

from ostrom.core import GameChance, InputError, PlayerFault
from ostrom.core.game import make_rules
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import play_match
from ostrom.players.roster import contestants_of
from ostrom.players.written import Sandbox, SandboxLimits, StrategyError, check_platform
from ostrom.players.written.worker import problem_of

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="written strategies are contained on Linux only"),
    pytest.mark.slow,
]
REPEATS = """
def answer(question, memory, draw):
    memory["asked"] = memory.get("asked", 0) + 1
    return 1 if memory["asked"] > 2 else 0
"""
# The check of names is for honest authors. These reach the real builtins, as hostile code can, so that only the kernel
# contains them.
REACH = """
def answer(question, memory, draw):
    import collections
    sys = collections._sys
    os = sys.modules["os"]
    builtins = sys.modules["builtins"]
"""


def run(body, **limits):
    """Ask hostile code once and return its answer."""
    code = REACH + "".join(f"    {line}\n" for line in body.strip().splitlines())
    sandbox = Sandbox(code, SandboxLimits(**limits))
    try:
        return sandbox.ask({}, 1)
    finally:
        sandbox.close()


def test_a_strategy_keeps_its_memory_and_draws_by_the_seed():
    code = "def answer(question, memory, draw):\n    memory[0] = memory.get(0, 0) + 1\n    return [memory[0], draw()]"
    one, other = Sandbox(code), Sandbox(code)
    assert [one.ask({}, 7), one.ask({}, 8)] == [other.ask({}, 7), other.ask({}, 8)]
    assert one.ask({}, 7) == [3, other.ask({}, 7)[1]]
    one.close()
    other.close()


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def answer(question, memory, draw):\n    return (", "line 2"),
        ("import os\ndef answer(question, memory, draw): return 1", "line 1: import of os is not allowed"),
        ("import importlib\n", "import of importlib"),
        ("from ctypes import CDLL\n", "import from ctypes"),
        ("x = ().__class__.__base__.__subclasses__()", "the name __"),
        ("eval('1')", "eval is not allowed"),
        ("open('/etc/passwd')", "open is not allowed"),
        ("def other(): pass", "no function answer"),
        ("def answer(question): return 1", "three parameters"),
        ("x = " + "(" * 5000 + ")" * 5000, "parse|too many nested"),
        ("x = 1 / 0\ndef answer(question, memory, draw): return 1", "line 1: ZeroDivisionError"),
    ],
)
def test_code_that_is_not_a_strategy_is_refused_with_its_line(code, reason):
    with pytest.raises(StrategyError, match=reason):
        Sandbox(code)


def test_the_check_allows_the_usual_code():
    code = """
import math
from collections import Counter
class Model:
    def __init__(self):
        self.counts = Counter()
def answer(question, memory, draw):
    return max(0, min(3, math.floor(draw() * 4)))
"""
    assert problem_of(code) is None


@pytest.mark.parametrize(
    "attack",
    [
        "return os.fork()",
        "os.posix_spawn('/bin/sh', ['sh'], {})",
        "os.execv('/bin/sh', ['sh'])",
        "return builtins.open('/etc/passwd').read()",
        "return os.listdir('/')",
        "os.remove('/tmp/never')",
        "sys.modules['socket'].socket()",
        "os.kill(os.getppid(), 9)",
        "os.kill(os.getpid(), 9)",
        "os.kill(-1, 9)",
        "return os.read(2, 10)",
        "os.write(2, b'x')",
        "os.dup2(1, 9)",
        "os.setuid(0)",
        "sys.modules['importlib'].import_module('multiprocessing.pool')",
        "sys.modules['importlib._bootstrap_external'].FileLoader('x', '/etc/passwd').get_data('/etc/passwd')",
        "sys.modules['ctypes'].CDLL('libresolv.so.2')",
        "sys.modules['resource'].setrlimit(7, (10, 10))",
        "sys.modules['_thread'].start_new_thread(len, ('',))",
        "sys.modules['_signal'].signal(15, len)",
    ],
)
def test_the_kernel_refuses_what_the_check_of_names_would_have_missed(attack):
    with pytest.raises(StrategyError, match=r"Error"):
        run(attack)


def test_system_calls_through_ctypes_are_refused_too():
    # getppid, then fork, then ptrace, by their numbers on x86-64 or by libc.
    assert run("return sys.modules['ctypes'].CDLL(None).fork()") == -1
    assert run("return sys.modules['ctypes'].CDLL(None).getppid()") == -1
    assert run("return sys.modules['ctypes'].CDLL(None).prctl(22, 0, 0, 0, 0)") == -1
    assert run("return sys.modules['ctypes'].CDLL(None).socket(2, 1, 0)") == -1


def test_an_endless_loop_ends_at_the_limit():
    with pytest.raises(StrategyError, match="time limit in an answer"):
        run("while True: pass", answer_seconds=0.5)
    with pytest.raises(StrategyError, match="time limit before it was ready"):
        Sandbox("while True: pass\ndef answer(question, memory, draw): pass", SandboxLimits(start_seconds=3))


def test_memory_is_limited():
    with pytest.raises(StrategyError, match=r"MemoryError|exceeded a limit of memory"):
        run("return len(bytearray(10 * 2**30))")
    with pytest.raises(StrategyError, match=r"MemoryError|limit"):
        run("x = []\nwhile True: x.append(' ' * 10**6)", answer_seconds=20)


def test_deep_recursion_and_a_crash_end_only_the_process():
    with pytest.raises(StrategyError, match="Recursion"):
        run("def f(): return f()\nreturn f()")
    with pytest.raises(StrategyError, match="process ended"):
        run("return sys.modules['ctypes'].string_at(0)")
    with pytest.raises(StrategyError, match="process ended"):
        run("os._exit(0)")


@pytest.mark.parametrize(
    "written",
    ["b'not json\\n'", "b'[1]\\n'", "b'{}\\n'", "b'[' * 100000 + b'\\n'", "b'9' * 2000000 + b'\\n'", "b'\\xff\\n'"],
)
def test_forged_lines_on_the_pipe_are_not_trusted(written):
    with pytest.raises(StrategyError, match=r"invalid reply|more than"):
        run(f"data = {written}\nwhile data: data = data[os.write(1, data):]\nwhile True: os.read(0, 1)")


def test_patching_the_worker_changes_nothing_for_the_next_process():
    attack = "main = sys.modules['__main__']\nmain.problem_of = lambda code: None\nmain.contain = lambda *a: None"
    run(attack + "\nreturn 1")
    with pytest.raises(StrategyError, match="import of os"):
        Sandbox("import os")


def test_the_process_knows_neither_the_environment_nor_the_parents_files(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-parent")
    assert run("return sorted(os.environ)") in (["PYTHONHASHSEED"], ["LC_CTYPE", "PYTHONHASHSEED"])
    with socket.socket() as listening, open(__file__) as file:
        for number in (listening.fileno(), file.fileno()):
            os.set_inheritable(number, True)
            with pytest.raises(StrategyError, match="Error"):
                run(f"return os.read({number}, 1)")


def test_other_systems_are_refused_with_what_would_not_be_contained():
    with pytest.raises(InputError, match=r"darwin .arm64., where files, network, processes and signals would not be"):
        check_platform("darwin", "arm64")
    check_platform("linux", "aarch64")


def test_a_written_file_takes_a_seat_and_a_changed_file_is_another_player(tmp_path):
    file = tmp_path / "repeats.py"
    file.write_text(REPEATS)
    game = GAMES.of_command("repeated")
    written, other = contestants_of(game, [f"written:{file}", "AllC"])
    match = play_match(game, make_rules(game, {"rounds": 4}), [written, other], GameChance(1, 0))
    assert [d.answer.value for d in match.decisions if d.question.seat.index == 0] == [0, 0, 1, 1]
    named = written.name
    assert named.startswith(f"written:{file}@")
    assert contestants_of(game, [named])[0].name == named
    file.write_text(REPEATS + "\n")
    with pytest.raises(InputError, match="has changed"):
        contestants_of(game, [named])


def test_a_failure_in_a_game_is_a_fault_of_the_player(tmp_path):
    file = tmp_path / "fails.py"
    file.write_text("def answer(question, memory, draw):\n    return question['nothing']\n")
    game = GAMES.of_command("repeated")
    players = contestants_of(game, [f"written:{file}", "AllC"])
    with pytest.raises(PlayerFault, match="line 2: KeyError"):
        play_match(game, make_rules(game, {"rounds": 4}), players, GameChance(1, 0))
