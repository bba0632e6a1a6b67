"""Parent of one training process: outlives the agent, kills the whole tree, writes down how it ended.

`python -m worker.shim ATTEMPT_FOLDER`. Its output belongs into the attempt's `output.log`.
"""

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from contracts.attempts import AttemptStarted, ExitRecord
from contracts.spool import EXIT_FILE, SHIM_FILE
from worker.atomic_file import write_model
from worker.attempt_folder import AttemptFolder
from worker.environment import scrubbed_environment
from worker.file_lock import try_lock
from worker.prctl import become_child_subreaper
from worker.process_tree import identify, marked_pids, signal_pids
from worker.settings import TRAINING_MODULE
from worker.training_tree import WAKING_SIGNALS, TrainingTree

_LOCK_FILE = "shim.lock"
_OOM_SCORE = "500"
"""When RAM runs out the kernel shall take the training process, not its neighbours on a shared box."""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m worker.shim", description=__doc__)
    parser.add_argument("attempt_folder", type=Path)
    parser.add_argument("--training-module", default=TRAINING_MODULE)
    parser.add_argument("--kill-grace-seconds", type=float, default=5.0)
    given = parser.parse_args(arguments)
    folder = AttemptFolder(given.attempt_folder.resolve())
    lock = try_lock(folder.path / _LOCK_FILE)
    if lock is None or folder.started() is not None:
        sys.stderr.write("another shim has this attempt; nothing done\n")
        return 1
    _supervise(folder, given.training_module, given.kill_grace_seconds)
    os.close(lock)
    return 0


def _supervise(folder: AttemptFolder, module: str, kill_grace_seconds: float) -> None:
    claim = folder.claim()
    if claim is None:
        raise FileNotFoundError(folder.path / "claim.json")
    signal.pthread_sigmask(signal.SIG_BLOCK, WAKING_SIGNALS)
    if os.getsid(0) != os.getpid():
        os.setsid()
    become_child_subreaper()
    os.chdir(folder.path)
    # Left over from a shim that was killed before it could write who it started.
    signal_pids(marked_pids(claim.attempt_id) - {os.getpid()}, signal.SIGKILL)

    environment = scrubbed_environment(os.environ, claim.attempt_id)
    tree = TrainingTree.start(module, folder.path, folder.output, environment, claim.attempt_id)
    try:
        Path(f"/proc/{tree.pid}/oom_score_adj").write_text(_OOM_SCORE)
        started = AttemptStarted(fence=claim.fence, shim=identify(os.getpid()), training=identify(tree.pid))
        write_model(folder.path / SHIM_FILE, started)
        tree.wait()
    finally:
        tree.end(kill_grace_seconds)
    record = ExitRecord(
        exit_code=tree.exit_code, signal=tree.signal, ended_at=datetime.now(UTC), peak_rss_bytes=tree.peak_rss_bytes
    )
    write_model(folder.path / EXIT_FILE, record)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
