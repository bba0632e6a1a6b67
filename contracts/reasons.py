"""Why a job waits or ended: a closed list, each with a sentence for people and a next step."""

from enum import StrEnum
from typing import NamedTuple


class Reason(StrEnum):
    # waiting
    NO_BOX = "no_box"
    BOX_BUSY = "box_busy"
    BOX_TOO_SMALL = "box_too_small"
    # ended by a person or the service
    CANCELLED_BY_USER = "cancelled_by_user"
    INTERRUPTED = "interrupted"
    AGENT_LOST = "agent_lost"
    BOX_REBOOTED = "box_rebooted"
    # ended by the machine
    HOST_RAM_EXHAUSTED = "host_ram_exhausted"
    DEVICE_OUT_OF_MEMORY = "device_out_of_memory"
    DISK_FULL = "disk_full"
    DISK_ERROR = "disk_error"
    KILLED_BY_SIGNAL = "killed_by_signal"
    # ended by what was asked
    MODEL_MISSING = "model_missing"
    MODEL_UNSUPPORTED = "model_unsupported"
    DATASET_INVALID = "dataset_invalid"
    PLACEMENT_IMPOSSIBLE = "placement_impossible"
    DIVERGED = "diverged"
    USER_ERROR = "user_error"
    INTERNAL = "internal"


class Explanation(NamedTuple):
    sentence: str
    next_step: str


EXPLANATIONS: dict[Reason, Explanation] = {
    Reason.NO_BOX: Explanation(
        "No box is connected.",
        "Start a worker on a box: `spillway worker --url URL` or, on one machine, `spillway up`.",
    ),
    Reason.BOX_BUSY: Explanation("Every box is busy with an earlier job.", "It starts by itself when one is free."),
    Reason.BOX_TOO_SMALL: Explanation(
        "No connected box has the memory or disk this job asks for.",
        "Lower the placement, free disk space on the box, or connect a larger box.",
    ),
    Reason.CANCELLED_BY_USER: Explanation("A person cancelled the job.", "Submit it again to start over."),
    Reason.INTERRUPTED: Explanation(
        "The service was stopped while the job ran.", "It was queued again and starts over at the next start."
    ),
    Reason.AGENT_LOST: Explanation(
        "The box stopped answering and its lease ran out.",
        "Check that the box and its worker are up; the job is tried again.",
    ),
    Reason.BOX_REBOOTED: Explanation("The box was restarted while the job ran.", "The job is tried again by itself."),
    Reason.HOST_RAM_EXHAUSTED: Explanation(
        "The machine ran out of host RAM and the system killed the training process.",
        "Put the optimizer state on NVMe (`placement: nvme`), or lower batch_size or sequence_length.",
    ),
    Reason.DEVICE_OUT_OF_MEMORY: Explanation(
        "The device ran out of memory.", "Lower batch_size or sequence_length, or turn on gradient_checkpointing."
    ),
    Reason.DISK_FULL: Explanation(
        "A disk ran full.", "Free space on the path named below, or give the worker another folder for its state."
    ),
    Reason.DISK_ERROR: Explanation(
        "A disk reported an error.", "Look at the system log for this disk; the run's last checkpoint is untouched."
    ),
    Reason.KILLED_BY_SIGNAL: Explanation(
        "Something outside Spillway killed the training process.",
        "Look at the last log lines and the system log, then retry.",
    ),
    Reason.MODEL_MISSING: Explanation(
        "The model's files were not found on the box.",
        "Check the folder or the Hugging Face id, and that the box can reach it.",
    ),
    Reason.MODEL_UNSUPPORTED: Explanation(
        "The model cannot be trained by this recipe.",
        "Use a causal language model with a chat template, in safetensors.",
    ),
    Reason.DATASET_INVALID: Explanation(
        "A row of the dataset cannot be used.", "Correct the line named below and upload the file again."
    ),
    Reason.PLACEMENT_IMPOSSIBLE: Explanation(
        "The placement cannot hold the optimizer state.",
        "Give the tiers the bytes named below, or use `placement: nvme`.",
    ),
    Reason.DIVERGED: Explanation(
        "The loss became NaN or infinite.",
        "Lower learning_rate, add warmup_steps, or look for broken rows in the data.",
    ),
    Reason.USER_ERROR: Explanation(
        "The training code raised an error.", "Read the last log lines; they name the cause."
    ),
    Reason.INTERNAL: Explanation(
        "Spillway itself failed.", "Please report this with the log; the job can be submitted again."
    ),
}
