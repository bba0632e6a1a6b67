"""One process the launcher keeps running: started under the tether, restarted with growing waits."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from spillway.launcher.log_file import LARGEST_LOG_BYTES, LogFile
from spillway.launcher.process_identity import ChildRecord, start_ticks

_FIRST_WAIT_SECONDS = 1.0
_LONGEST_WAIT_SECONDS = 30.0
# A child that lived this long is sound again: the next death starts from the first wait.
_SOUND_AFTER_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ChildPlan:
    name: str
    command: tuple[str, ...]
    log_path: Path
    stop_signal: signal.Signals
    stop_seconds: float
    """How long it may take to stop in good order before it is killed."""
    hurry_seconds: float = 0.0
    """How long it may take once the stopping signal has come a second time; 0: that one kills."""
    death_signal: signal.Signals = signal.SIGTERM
    """What the kernel sends when the launcher dies."""
    environment: dict[str, str] = field(default_factory=dict)


class Child:
    """Call every method from the launcher's main thread; see `tether`."""

    def __init__(self, plan: ChildPlan, *, largest_log_bytes: int = LARGEST_LOG_BYTES) -> None:
        self.plan = plan
        self.log = LogFile(plan.log_path, largest_log_bytes)
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._start_again_at = 0.0
        self._wait_seconds = _FIRST_WAIT_SECONDS

    @property
    def name(self) -> str:
        return self.plan.name

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        command = self.plan.command
        tether = (sys.executable, "-m", "spillway.launcher.tether", str(os.getpid()), str(int(self.plan.death_signal)))
        with self.log.open_for_child() as output:
            self._process = subprocess.Popen(
                (*tether, *command),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.plan.environment},
                # A session of its own: a terminal's Ctrl-C reaches the launcher alone, which then stops them in order.
                start_new_session=True,
            )
        self._started_at = time.monotonic()

    def look_after(self) -> str | None:
        """Notice a death and start again when its wait is over. Returns what to tell a person, if anything."""
        if self.is_running:
            return None
        now = time.monotonic()
        if self._process is not None:
            exit_text = _exit_text(self._process.returncode)
            if now - self._started_at >= _SOUND_AFTER_SECONDS:
                self._wait_seconds = _FIRST_WAIT_SECONDS
            self._start_again_at = now + self._wait_seconds
            text = f"ended by itself ({exit_text}); starting it again in {self._wait_seconds:.0f} s"
            self._wait_seconds = min(self._wait_seconds * 2, _LONGEST_WAIT_SECONDS)
            self._process = None
            return text
        if now < self._start_again_at:
            return None
        self.start()
        return "started again"

    def ask_to_stop(self) -> None:
        if self._process is not None and self.is_running:
            self._process.send_signal(self.plan.stop_signal)

    def kill_at_once(self) -> None:
        """The process and what it started in its session. Runs have sessions of their own."""
        if self._process is not None and self.is_running:
            os.killpg(self._process.pid, signal.SIGKILL)

    def record(self) -> ChildRecord | None:
        if self._process is None:
            return None
        return ChildRecord(name=self.name, pid=self._process.pid, start_ticks=start_ticks(self._process.pid))


def _exit_text(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"signal {-code}"
