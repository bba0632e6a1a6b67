"""Which job gets which box, and what the others wait for. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from backend.boxes.service import BoxView
from backend.jobs.placement import Demand, too_small_message
from contracts.reasons import Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class QueuedJob:
    job_id: str
    name: str
    wanted: Demand


@dataclass(frozen=True, kw_only=True, slots=True)
class Grant:
    job_id: str
    box: BoxView


@dataclass(frozen=True, kw_only=True, slots=True)
class Wait:
    job_id: str
    reason: Reason
    message: str


def decide(queue: Sequence[QueuedJob], boxes: Sequence[BoxView], holders: Mapping[str, str]) -> list[Grant | Wait]:
    """First come, first served; a job that no box can take now lets later ones pass.

    `holders` tells, by box id, which job has the box. A box runs one attempt at a time.
    """
    held = dict(holders)
    verdicts: list[Grant | Wait] = []
    for job in queue:
        verdict = _decide_one(job, boxes, held)
        if isinstance(verdict, Grant):
            held[verdict.box.box_id] = f"{job.name!r} ({job.job_id})"
        verdicts.append(verdict)
    return verdicts


def _decide_one(job: QueuedJob, boxes: Sequence[BoxView], held: Mapping[str, str]) -> Grant | Wait:
    alive = [box for box in boxes if box.is_alive]
    if not alive:
        return Wait(job_id=job.job_id, reason=Reason.NO_BOX, message=_last_heard(boxes))
    fitting = [box for box in alive if box.box_id not in held and job.wanted.fits_now(box)]
    if fitting:
        roomiest = max(fitting, key=lambda box: (box.nvme_free_bytes, box.host_ram_available_bytes))
        return Grant(job_id=job.job_id, box=roomiest)
    # What a busy box has free says nothing of the time when its job is done; its totals do.
    busy = [box for box in alive if box.box_id in held and job.wanted.fits_ever(box)]
    if busy:
        whose = "; ".join(f"{box.name} runs {held[box.box_id]}" for box in busy)
        return Wait(job_id=job.job_id, reason=Reason.BOX_BUSY, message=f"{whose}.")
    numbers = too_small_message(job.wanted, alive)
    return Wait(job_id=job.job_id, reason=Reason.BOX_TOO_SMALL, message=f"{numbers[0].upper()}{numbers[1:]}.")


def _last_heard(boxes: Sequence[BoxView]) -> str:
    if not boxes:
        return "No box has ever registered."
    newest = max(boxes, key=lambda box: box.seen_at)
    return f"{newest.name} was last heard of at {newest.seen_at:%Y-%m-%d %H:%M:%S} UTC."
