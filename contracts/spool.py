"""The attempt's folder on the box: the whole interface between agent, shim and training process.

claim.json       the Claim, written by the agent before the shim starts
run.json         the RunOrder: resolved local paths; what the training process reads
events.jsonl     events, appended by the training process, one JSON line each, flushed per line
output.log       stdout and stderr of shim and training process; the file is theirs, nobody must drain it
spans/           step-NNNNNN.json (StepSpans): the last 200 steps, the slowest and the anomalous
stop             its existence asks the training process to stop at the next step boundary; text: the StopReason
shim.json        AttemptStarted's identities, written by the shim once the training process runs
exit.json        ExitRecord, written by the shim last
artifact/        the outcome, Hugging Face layout; complete when `training.finished` is in the spool
state/           default place of the engine's NVMe files
"""

from enum import StrEnum

from contracts.base import Contract
from contracts.job import JobSpec

CLAIM_FILE = "claim.json"
RUN_FILE = "run.json"
EVENTS_FILE = "events.jsonl"
OUTPUT_FILE = "output.log"
SPANS_FOLDER = "spans"
STOP_FILE = "stop"
SHIM_FILE = "shim.json"
EXIT_FILE = "exit.json"
ARTIFACT_FOLDER = "artifact"
STATE_FOLDER = "state"
KEPT_SPAN_STEPS = 200

STOPPED_EXIT_CODE = 3
"""The training process stopped at a step boundary because it was asked to."""


class StopReason(StrEnum):
    CANCEL = "cancel"
    INTERRUPT = "interrupt"


class RunOrder(Contract):
    """What the training process reads: everything resolved to local paths, nothing left to look up."""

    attempt_id: str
    spec: JobSpec
    model_path: str
    """A folder in Hugging Face layout, or a Hugging Face id when `model_revision` is given."""
    model_revision: str | None = None
    dataset_path: str
    nvme_paths: list[str]
    """Folders for state; a run makes its own below each."""
    artifact_path: str


def spans_file(step: int) -> str:
    return f"{SPANS_FOLDER}/step-{step:06d}.json"
