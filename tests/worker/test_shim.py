import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.worker.box import REPOSITORY, Box, is_running, wait_until
from worker.attempt_folder import AttemptFolder

Start = Callable[[AttemptFolder], "subprocess.Popen[bytes]"]


@pytest.fixture
def start_shim(box: Box) -> Iterator[Start]:
    with ExitStack() as shims:

        def start(folder: AttemptFolder) -> "subprocess.Popen[bytes]":
            shim = subprocess.Popen(
                [
                    sys.executable, "-m", "worker.shim", str(folder.path), "--training-module", "tests.worker.unruly",
                    "--kill-grace-seconds", "0.3",
                ],
                env=dict(os.environ) | {"PYTHONPATH": str(REPOSITORY)}, stderr=subprocess.PIPE,
            )  # fmt: skip
            shims.enter_context(shim)
            shims.callback(shim.terminate)
            return shim

        yield start


def test_a_term_ends_a_tree_that_ignores_it_and_the_record_is_written_last(box: Box, start_shim: Start) -> None:
    folder = box.prepare("never stop")
    shim = start_shim(folder)
    grandchild = folder.path / "grandchild.pid"
    wait_until(grandchild.exists)
    started = folder.started()
    assert started is not None
    assert started.shim.pid == shim.pid
    assert started.training is not None
    assert folder.exit_record() is None

    shim.send_signal(signal.SIGTERM)
    wait_until(lambda: folder.exit_record() is not None)
    assert not is_running(started.training.pid)
    assert not is_running(int(grandchild.read_text()))
    assert shim.wait(5) == 0
    record = folder.exit_record()
    assert record is not None
    assert (record.exit_code, record.signal) == (None, signal.SIGKILL)
    # The grandchild held 50 MB; it came to the shim as an orphan.
    assert record.peak_rss_bytes > 50_000_000


def test_a_second_shim_gives_way_while_the_first_lives_and_after_it(box: Box, start_shim: Start) -> None:
    folder = box.prepare("never stop")
    first = start_shim(folder)
    wait_until(lambda: folder.started() is not None)
    for _ in range(2):
        second = start_shim(folder)
        _, told = second.communicate(timeout=10)
        assert second.returncode == 1
        assert b"another shim has this attempt" in told
        first.send_signal(signal.SIGTERM)
        assert first.wait(10) == 0
    started = folder.started()
    assert started is not None
    assert started.shim.pid == first.pid


def test_the_kernel_is_told_to_take_the_training_process_first(box: Box, start_shim: Start) -> None:
    folder = box.prepare("never stop")
    start_shim(folder)
    wait_until(lambda: folder.started() is not None)
    started = folder.started()
    assert started is not None
    assert started.training is not None
    assert Path(f"/proc/{started.training.pid}/oom_score_adj").read_text().strip() == "500"
