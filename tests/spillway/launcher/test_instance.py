import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from spillway.launcher.instance import AlreadyRunningError, InstanceLock, end_leftovers, write_server_record
from spillway.launcher.process_identity import ChildRecord, start_ticks
from spillway.locations import DataDir, ServerRecord, read_server_record


def test_a_second_start_is_refused_with_the_address_of_the_first(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "data")
    with InstanceLock(data_dir):
        write_server_record(data_dir, ServerRecord(url="http://127.0.0.1:8400", pid=4242))
        with pytest.raises(AlreadyRunningError, match=r"http://127.0.0.1:8400 \(pid 4242\)"), InstanceLock(data_dir):
            pass
    assert read_server_record(data_dir) is None
    with InstanceLock(data_dir):
        pass


def test_records_are_for_their_owner_only(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / "data")
    with InstanceLock(data_dir):
        write_server_record(data_dir, ServerRecord(url="http://127.0.0.1:1", pid=1))
        assert data_dir.server_file.stat().st_mode & 0o777 == 0o600
        assert data_dir.root.stat().st_mode & 0o777 == 0o700


def test_what_a_killed_launcher_left_behind_is_ended_and_a_stranger_with_its_pid_is_not(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path)
    # It ends on its own in a moment, as a child does that the kernel signalled at its launcher's death.
    leftover = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(0.5)"])
    stranger = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        record = ServerRecord(
            url="http://127.0.0.1:1",
            pid=1,
            children=[
                ChildRecord(name="api", pid=leftover.pid, start_ticks=start_ticks(leftover.pid)),
                ChildRecord(name="worker", pid=stranger.pid, start_ticks=start_ticks(stranger.pid) - 5),
            ],
        )
        write_server_record(data_dir, record)
        started = time.monotonic()
        assert [child.name for child in end_leftovers(data_dir)] == ["api"]
        assert time.monotonic() - started < 8
        assert stranger.poll() is None
        os.kill(stranger.pid, signal.SIGKILL)
    finally:
        stranger.wait()
        leftover.wait()
