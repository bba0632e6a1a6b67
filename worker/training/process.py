"""The training process from start to exit: everything that happens is said in the spool before it ends."""

import os
import sys
import traceback
from pathlib import Path

from contracts.events import Phase, PhaseChanged, TrainingFailed, TrainingStopped
from contracts.spool import RUN_FILE, STOPPED_EXIT_CODE, RunOrder
from worker.spool import SpoolWriter
from worker.training.errors import StopAskedError
from worker.training.event_text import LogLines
from worker.training.failures import explain

FINISHED_EXIT_CODE = 0
FAILED_EXIT_CODE = 1
_MAX_DETAIL_CHARS = 4000
_MAX_MESSAGE_CHARS = 2000


def run_attempt(attempt_folder: Path, *, started_at: float) -> int:
    """Train as `run.json` says. 0: the artifact is written; STOPPED_EXIT_CODE: as asked; 1: failed, see the last event.

    `started_at` is time.time() at the process's start.
    """
    order = RunOrder.model_validate_json((attempt_folder / RUN_FILE).read_bytes())
    with SpoolWriter(attempt_folder, on_event=LogLines(sys.stdout).show) as spool:
        try:
            spool.emit(PhaseChanged, phase=Phase.LOAD, detail="starting torch")
            _prepare_environment(order)
            # Seconds of imports: the phase is said first, and a broken installation ends in an event as well.
            from worker.training.run import train  # noqa: PLC0415

            train(order, attempt_folder, spool, started_at=started_at)
        except StopAskedError as stop:
            spool.emit(TrainingStopped, step=stop.step)
            return STOPPED_EXIT_CODE
        except Exception as error:  # noqa: BLE001  the process's last line of defence: every failure becomes an event
            traceback.print_exc(file=sys.stderr)
            failure = explain(error)
            spool.emit(
                TrainingFailed,
                reason=failure.reason,
                message=failure.message[:_MAX_MESSAGE_CHARS],
                detail="".join(traceback.format_exception(error))[-_MAX_DETAIL_CHARS:],
            )
            return FAILED_EXIT_CODE
    return FINISHED_EXIT_CODE


def _prepare_environment(order: RunOrder) -> None:
    """Before any library reads it: no telemetry, no bars in the log, no network unless the model comes from there."""
    os.environ.update(
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HUB_DISABLE_PROGRESS_BARS="1",
        DISABLE_TELEMETRY="1",
        DISABLE_SAFETENSORS_CONVERSION="1",
        TQDM_DISABLE="1",
        TOKENIZERS_PARALLELISM="false",
        TRANSFORMERS_NO_ADVISORY_WARNINGS="1",
        WANDB_MODE="disabled",
    )
    # The box is shared, and the engine's own threads want cores too: a compute thread that spins while it waits for
    # another one takes the very core that one needs. Measured beside one busy process: steps 2x as fast, and steady.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    if order.model_revision is None:
        os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_DATASETS_OFFLINE="1")
