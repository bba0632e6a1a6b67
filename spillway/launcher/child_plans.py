"""How each process of the one-machine server is started and stopped."""

import signal
import sys
from pathlib import Path

from spillway.launcher.broker import BrokerPlan
from spillway.launcher.child import ChildPlan
from spillway.locations import DataDir

# A step of a large model on a slow machine may take a minute; only then is a run cut off.
_STEP_BOUNDARY_SECONDS = 120.0
_AGENT_STOP_SECONDS = _STEP_BOUNDARY_SECONDS + 15.0


def redis_plan(broker: BrokerPlan, data_dir: DataDir) -> ChildPlan | None:
    """None where there is nothing to start."""
    if broker.command is None:
        return None
    return ChildPlan(
        name="redis",
        command=broker.command,
        log_path=data_dir.logs / "redis.log",
        stop_signal=signal.SIGTERM,
        stop_seconds=5.0,
        # It holds nothing worth saving.
        death_signal=signal.SIGKILL,
    )


def api_plan(broker: BrokerPlan, data_dir: DataDir, port: int) -> ChildPlan:
    return ChildPlan(
        name="api",
        command=(
            sys.executable, "-m", "backend", "serve",
            "--data-dir", str(data_dir.api),
            "--host", "127.0.0.1",
            "--port", str(port),
            "--broker-url", broker.url,
            "--local-cli-token",
        ),
        log_path=data_dir.logs / "api.log",
        stop_signal=signal.SIGTERM,
        stop_seconds=10.0,
        # Its database stands a kill at any moment; waiting for open streams would keep the port taken.
        death_signal=signal.SIGKILL,
    )  # fmt: skip


def agent_plan(broker: BrokerPlan, data_dir: DataDir, url: str, nvme_paths: tuple[Path, ...]) -> ChildPlan:
    nvme = ("--nvme", *(str(path.expanduser().absolute()) for path in nvme_paths)) if nvme_paths else ()
    return ChildPlan(
        name="worker",
        command=(
            sys.executable, "-m", "worker",
            "--url", url,
            "--box-token-file", str(data_dir.box_token_file),
            "--data-dir", str(data_dir.worker),
            "--broker-url", broker.url,
            "--stop-grace-seconds", str(_STEP_BOUNDARY_SECONDS),
            *nvme,
        ),
        log_path=data_dir.logs / "worker.log",
        # SIGINT stops the runs at their next step; SIGTERM leaves them alive under their shims, which is what should
        # happen when the launcher is killed: the next start adopts them.
        stop_signal=signal.SIGINT,
        stop_seconds=_AGENT_STOP_SECONDS,
        # A second SIGINT ends the runs at once; they are reported and queued again all the same.
        hurry_seconds=15.0,
        death_signal=signal.SIGTERM,
    )  # fmt: skip
