"""Where a job's optimizer state would go, and whether any box could hold it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from backend.authorization import Principal
from backend.boxes import service as boxes
from backend.boxes.service import BoxView
from backend.errors import InvalidRequestError
from backend.jobs import references
from backend.jobs.schemas import PlanBox, PlanRead
from contracts.events import TierBytes
from contracts.job import JobSpec
from contracts.problem import ProblemItem
from contracts.reasons import EXPLANATIONS, Reason
from contracts.sizes import format_bytes
from offload_core.planning.partitions import state_bytes


@dataclass(frozen=True, kw_only=True, slots=True)
class Demand:
    """Bytes of optimizer state a job asks of a box. While the model's size is not known nothing is asked."""

    num_parameters: int | None
    state_bytes: int | None
    host_bytes: int
    nvme_bytes: int
    missing_bytes: int
    """What the placement's own bounds leave without a place."""

    def fits_now(self, box: BoxView) -> bool:
        return self.host_bytes <= box.host_ram_available_bytes and self.nvme_bytes <= box.nvme_free_bytes

    def fits_ever(self, box: BoxView) -> bool:
        return self.host_bytes <= box.host_ram_bytes and self.nvme_bytes <= box.nvme_total_bytes


class PlacementImpossibleError(InvalidRequestError):
    def __init__(self, problem: ProblemItem) -> None:
        super().__init__(
            code=Reason.PLACEMENT_IMPOSSIBLE.value,
            title=EXPLANATIONS[Reason.PLACEMENT_IMPOSSIBLE].sentence.rstrip("."),
            detail=problem.message,
            hint=problem.hint,
            errors=[problem],
        )


def demand(spec: JobSpec, num_parameters: int | None) -> Demand:
    """Host RAM fills first, then NVMe, each up to its bound. Pure."""
    if num_parameters is None:
        return Demand(num_parameters=None, state_bytes=None, host_bytes=0, nvme_bytes=0, missing_bytes=0)
    total = state_bytes(num_parameters, spec.training.dtype)
    host = _take(total, spec.placement.host_bytes)
    nvme = _take(total - host, spec.placement.nvme_bytes)
    return Demand(
        num_parameters=num_parameters,
        state_bytes=total,
        host_bytes=host,
        nvme_bytes=nvme,
        missing_bytes=total - host - nvme,
    )


def find_problem(wanted: Demand, known_boxes: Sequence[BoxView]) -> ProblemItem | None:
    """What makes the placement impossible, if anything does. A box that is only full at the moment is none. Pure."""
    if wanted.missing_bytes > 0:
        total, held = wanted.state_bytes or 0, wanted.host_bytes + wanted.nvme_bytes
        return _problem(
            f"The optimizer state of {wanted.num_parameters} parameters takes {total} bytes ({format_bytes(total)}); "
            f"host_bytes and nvme_bytes together hold {held} ({format_bytes(held)}).",
            f"Raise host_bytes or nvme_bytes by {wanted.missing_bytes} bytes ({format_bytes(wanted.missing_bytes)}), "
            "or leave one of them null: as much as it needs.",
        )
    kinds = {(box.host_ram_bytes, box.nvme_total_bytes) for box in known_boxes}
    # With boxes of several kinds a larger one may be on its way; the job waits and says so.
    if len(kinds) != 1 or wanted.fits_ever(known_boxes[0]):
        return None
    ((host_ram, nvme_total),) = kinds
    return _problem(
        f"The state needs {wanted.host_bytes} bytes ({format_bytes(wanted.host_bytes)}) of host RAM and "
        f"{wanted.nvme_bytes} ({format_bytes(wanted.nvme_bytes)}) of NVMe; the box {known_boxes[0].name!r} has "
        f"{host_ram} ({format_bytes(host_ram)}) and {nvme_total} ({format_bytes(nvme_total)}).",
        "Split the state over both tiers, give the worker a larger disk (`--nvme PATH`), or connect a larger box.",
    )


def plan(session: Session, principal: Principal, spec: JobSpec, *, now: datetime) -> PlanRead:
    """Raises UnknownReferenceError like a submit would."""
    model, _ = references.resolve(session, principal.project_id, spec)
    wanted = demand(spec, model.num_parameters)
    known_boxes = boxes.views(session, now=now)
    problem = find_problem(wanted, known_boxes)
    box = _best(wanted, [box for box in known_boxes if box.is_alive])
    notes = []
    if wanted.state_bytes is None:
        notes.append("The model's size is known once a box has fetched it; whether the state fits is checked there.")
    if box is None:
        notes.append(EXPLANATIONS[Reason.NO_BOX].sentence + " " + EXPLANATIONS[Reason.NO_BOX].next_step)
    elif problem is None and not wanted.fits_now(box):
        notes.append(f"At the moment {too_small_message(wanted, [box])}; the job would wait for that.")
    return PlanRead(
        fits=_fits(wanted, problem, box),
        num_parameters=wanted.num_parameters,
        state_bytes=wanted.state_bytes,
        state_bytes_by_tier=None
        if wanted.state_bytes is None
        else TierBytes(host=wanted.host_bytes, nvme=wanted.nvme_bytes),
        box=None if box is None else _plan_box(box),
        problems=[] if problem is None else [problem],
        notes=notes,
    )


def too_small_message(wanted: Demand, some_boxes: Sequence[BoxView]) -> str:
    """For a person: what is needed, and what each box has free."""
    have = "; ".join(
        f"{box.name} has {format_bytes(box.host_ram_available_bytes)} of RAM and "
        f"{format_bytes(box.nvme_free_bytes)} of NVMe free"
        for box in some_boxes
    )
    needs = f"{format_bytes(wanted.host_bytes)} of RAM and {format_bytes(wanted.nvme_bytes)} of NVMe"
    return f"the state needs {needs}; {have}"


def _take(num_bytes: int, bound: int | None) -> int:
    return num_bytes if bound is None else min(num_bytes, bound)


def _problem(message: str, hint: str) -> ProblemItem:
    return ProblemItem(pointer="/placement", code=Reason.PLACEMENT_IMPOSSIBLE.value, message=message, hint=hint)


def _best(wanted: Demand, alive: Sequence[BoxView]) -> BoxView | None:
    """One that fits; else the one with the most room."""
    by_room = sorted(alive, key=lambda box: box.nvme_free_bytes + box.host_ram_available_bytes, reverse=True)
    return next((box for box in by_room if wanted.fits_now(box)), by_room[0] if by_room else None)


def _fits(wanted: Demand, problem: ProblemItem | None, box: BoxView | None) -> bool | None:
    if problem is not None:
        return False
    return None if wanted.state_bytes is None or box is None else wanted.fits_now(box)


def _plan_box(box: BoxView) -> PlanBox:
    return PlanBox(
        box_id=box.box_id,
        name=box.name,
        host_ram_bytes=box.host_ram_bytes,
        host_ram_available_bytes=box.host_ram_available_bytes,
        nvme_free_bytes=box.nvme_free_bytes,
        nvme_total_bytes=box.nvme_total_bytes,
    )
