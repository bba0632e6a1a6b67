"""Keeps the Celery child alive. Whatever happens to it or to the broker costs seconds of latency, nothing else."""

import os
import subprocess
import sys
import threading
import time

import structlog

from worker.settings import AGENT_PID_VARIABLE, BROKER_VARIABLE, RUN_FOLDER_VARIABLE, WorkerSettings

_LONGEST_PAUSE_SECONDS = 30.0
_HEALTHY_SECONDS = 60.0

log = structlog.stdlib.get_logger(__name__)


class CeleryChild(threading.Thread):
    """Runs for as long as the agent: the child is told to die with this very thread."""

    def __init__(self, settings: WorkerSettings, broker_url: str, queue: str) -> None:
        super().__init__(name="celery-child", daemon=True)
        self._settings = settings
        self._queue = queue
        self._environment = {
            **os.environ,
            # By environment: arguments can be read by every user of the machine, and a URL may hold a password.
            BROKER_VARIABLE: broker_url,
            RUN_FOLDER_VARIABLE: str(settings.run_folder),
            AGENT_PID_VARIABLE: str(os.getpid()),
        }

    def run(self) -> None:
        pause_seconds = 1.0
        while True:
            began = time.monotonic()
            code = self._run_once()
            lived_seconds = time.monotonic() - began
            pause_seconds = 1.0 if lived_seconds > _HEALTHY_SECONDS else min(pause_seconds * 2, _LONGEST_PAUSE_SECONDS)
            log.warning("the Celery child ended; starting it again", exit_code=code, in_seconds=pause_seconds)
            time.sleep(pause_seconds)

    def _run_once(self) -> int:
        with (self._settings.run_folder / "celery.log").open("wb") as output:
            child = subprocess.Popen(
                [
                    sys.executable, "-m", "celery", "-A", "worker.celery_app", "worker",
                    "--pool", "solo", "--queues", self._queue, "--hostname", f"{self._queue}@%h",
                    "--loglevel", "WARNING",
                    "--without-gossip", "--without-mingle", "--without-heartbeat",
                ],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=self._environment,
                # Not in the terminal's foreground group: Ctrl-C is for the agent to handle.
                process_group=0,
            )  # fmt: skip
        log.info("the Celery child listens for wake-ups", pid=child.pid, queue=self._queue)
        return child.wait()
