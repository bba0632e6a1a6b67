"""Real processes, started and watched as the launcher does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from spillway.launcher.child import Child, ChildPlan
from spillway.launcher.process_identity import ChildRecord, is_alive, start_ticks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def wait_for(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)


def plan(tmp_path: Path, code: str) -> ChildPlan:
    return ChildPlan(
        name="child",
        command=(sys.executable, "-u", "-c", code),
        log_path=tmp_path / "logs" / "child.log",
        stop_signal=signal.SIGTERM,
        stop_seconds=5.0,
    )


def test_a_child_that_dies_is_started_again_and_both_are_said(tmp_path: Path) -> None:
    child = Child(plan(tmp_path, "import os; print('pid', os.getpid()); os.kill(os.getpid(), 9)"))
    child.start()
    said: list[str] = []
    lines: list[str] = []

    def look() -> bool:
        lines.extend(child.log.read_new_lines())
        text = child.look_after()
        if text:
            said.append(text)
        return len(lines) >= 2

    wait_for(look)
    child.kill_at_once()
    assert said[0] == "ended by itself (SIGKILL); starting it again in 1 s"
    assert said[1] == "started again"
    assert lines[0] != lines[1]


def test_waits_grow_while_a_child_keeps_dying(tmp_path: Path) -> None:
    child = Child(plan(tmp_path, "raise SystemExit(3)"))
    child.start()
    said: list[str] = []

    def look() -> bool:
        text = child.look_after()
        if text:
            said.append(text)
        return len(said) >= 3

    wait_for(look)
    assert said[0] == "ended by itself (exit code 3); starting it again in 1 s"
    assert said[2] == "ended by itself (exit code 3); starting it again in 2 s"


def test_the_kernel_ends_a_child_whose_launcher_is_killed(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    child_code = (
        f"import os, pathlib, time; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); time.sleep(60)"
    )
    launcher_code = (
        "import signal, sys, time, pathlib\n"
        "from spillway.launcher.child import Child, ChildPlan\n"
        f"Child(ChildPlan(name='c', command=(sys.executable, '-c', {child_code!r}), "
        f"log_path=pathlib.Path({str(tmp_path / 'log')!r}), stop_signal=signal.SIGTERM, stop_seconds=1.0)).start()\n"
        "time.sleep(60)\n"
    )
    launcher = subprocess.Popen([sys.executable, "-c", launcher_code])
    wait_for(lambda: pid_file.exists() and pid_file.read_text().isdigit())
    pid = int(pid_file.read_text())
    record = ChildRecord(name="c", pid=pid, start_ticks=start_ticks(pid))
    assert is_alive(record)
    launcher.kill()
    launcher.wait()
    wait_for(lambda: not is_alive(record))


def test_a_pid_that_another_process_has_now_is_not_the_recorded_one() -> None:
    mine = ChildRecord(name="me", pid=os.getpid(), start_ticks=start_ticks(os.getpid()))
    assert is_alive(mine)
    assert not is_alive(mine.model_copy(update={"start_ticks": mine.start_ticks - 1}))


def test_a_child_writes_on_after_its_log_was_rotated(tmp_path: Path) -> None:
    go = tmp_path / "go"
    code = (
        "import pathlib, time\nprint('x' * 3000)\n"
        f"while not pathlib.Path({str(go)!r}).exists(): time.sleep(0.01)\nprint('after')"
    )
    child = Child(plan(tmp_path, code), largest_log_bytes=1000)
    child.start()
    lines: list[str] = []
    rotated = tmp_path / "logs" / "child.log.1"
    wait_for(lambda: lines.extend(child.log.read_new_lines()) or rotated.exists())
    go.touch()
    wait_for(lambda: lines.extend(child.log.read_new_lines()) or len(lines) == 2)
    assert lines == ["x" * 3000, "after"]
    assert rotated.read_text() == "x" * 3000 + "\n"
    assert (tmp_path / "logs" / "child.log").read_text() == "after\n"
    wait_for(lambda: not child.is_running)


def test_what_an_earlier_start_wrote_is_not_taken_for_this_ones_word(tmp_path: Path) -> None:
    child = Child(plan(tmp_path, "import os; print('i am', os.getpid(), flush=True)"))
    words = []
    for _ in range(2):
        child.start()
        wait_for(lambda: not child.is_running)
        words.append(child.log.last_lines(1)[0])
        assert child.log.says(words[-1])
    assert words[0] != words[1]
    assert not child.log.says(words[0])
