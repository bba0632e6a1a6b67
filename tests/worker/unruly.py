"""Training processes that misbehave; the first sample prompt says how, others go to the paced one. Without torch."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from contracts.events import Phase, PhaseChanged, TierBytes, TrainingFinished
from contracts.spool import RUN_FILE, RunOrder
from worker import paced
from worker.spool import SpoolWriter

HOLDER = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
memory = bytearray(50_000_000)
aside = sys.argv[1] + ".tmp"
open(aside, "w").write(str(os.getpid()))
os.rename(aside, sys.argv[1])
time.sleep(600)
"""


def main(folder: Path) -> int:  # noqa: C901 - a list of ways to misbehave
    order = RunOrder.model_validate_json((folder / RUN_FILE).read_bytes())
    match order.spec.evaluation.sample_prompts[0]:
        case "leave a grandchild":
            hold_memory(folder, dict(os.environ))
            return paced.main(folder)
        case "leave an unmarked grandchild":
            hold_memory(folder, {"PATH": os.environ["PATH"]})
            return paced.main(folder)
        case "never stop":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            hold_memory(folder, dict(os.environ))
            with SpoolWriter(folder) as spool:
                spool.emit(PhaseChanged, phase=Phase.TRAIN)
                while True:
                    time.sleep(0.05)
        case "log much and die":
            for number in range(60_000):
                print(f"line {number:06d} of sixty thousand, all of which must arrive")
            os.kill(os.getpid(), signal.SIGKILL)
        case "tell the environment":
            (Path(order.artifact_path) / "environment.json").write_text(json.dumps(dict(os.environ)))
            (Path(order.artifact_path) / "session.json").write_text(
                json.dumps({"sid": os.getsid(0), "pgid": os.getpgid(0), "pid": os.getpid(), "ppid": os.getppid()})
            )
            finish(folder)
        case "eat all memory":
            hoard = []
            while True:
                hoard.append(b"x" * 10_000_000)
        case "raise":
            raise RuntimeError("the recipe is broken")
        case "exit silently":
            pass
        case "leave state":
            (folder / "state" / "swap.bin").write_bytes(b"x" * 1000)
            below = Path(order.nvme_paths[0]) / order.attempt_id
            below.mkdir()
            (below / "swap.bin").write_bytes(b"x" * 1000)
            (folder / "artifact" / "adapter").mkdir()
            (folder / "artifact" / "adapter" / "weights.safetensors").write_bytes(os.urandom(3_000_000))
            finish(folder)
        case _:
            return paced.main(folder)
    return 0


def hold_memory(folder: Path, environment: dict[str, str]) -> None:
    subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder / "grandchild.pid")], start_new_session=True, env=environment
    )
    while not (folder / "grandchild.pid").exists():
        time.sleep(0.01)


def finish(folder: Path) -> None:
    with SpoolWriter(folder) as spool:
        spool.emit(
            TrainingFinished, steps=1, eval_loss_before=None, eval_loss_after=None, tokens_per_second=1.0,
            seconds_to_first_step=0.1, overlap_share=None, peak_rss_bytes=1, state_bytes=TierBytes(),
        )  # fmt: skip


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
