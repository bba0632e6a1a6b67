"""A real kill for lack of memory, in a memory cgroup of our own where we may make one."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from contracts.attempts import Outcome
from contracts.reasons import Reason
from tests.worker.box import Box
from tests.worker.fake_api import FakeApi

LIMIT_BYTES = 400 * 2**20
ROOT = Path("/sys/fs/cgroup")


@pytest.fixture
def small_cgroup() -> Iterator[Path]:
    is_v1 = (ROOT / "memory" / "memory.limit_in_bytes").exists()
    folder = (ROOT / "memory" if is_v1 else ROOT) / f"spillway-test-{os.getpid()}"
    try:
        folder.mkdir()
        (folder / ("memory.limit_in_bytes" if is_v1 else "memory.max")).write_text(str(LIMIT_BYTES))
    except OSError as error:
        pytest.skip(f"no memory cgroup can be made here: {error}")
    yield folder
    folder.rmdir()


def test_a_kill_by_the_kernel_for_lack_of_ram_is_told_with_the_numbers(
    small_cgroup: Path, box: Box, api: FakeApi
) -> None:
    box.start_agent("--training-module", "tests.worker.unruly", cgroup=small_cgroup)
    stored = box.grant("eat all memory")
    api.wait_for(lambda: stored.finished, 40)
    assert api.boxes[-1].host_ram_bytes == LIMIT_BYTES
    [finished] = stored.finished
    assert (finished.outcome, finished.reason) == (Outcome.FAILED, Reason.HOST_RAM_EXHAUSTED)
    assert "of 400 MiB host RAM" in finished.message
    assert "Kills by the kernel for lack of memory since the start: 1." in finished.message
    box.close()
