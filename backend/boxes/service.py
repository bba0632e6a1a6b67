"""The machines jobs run on: what they have, and when they were heard of."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from backend.boxes import repository
from backend.boxes.schemas import BoxRead
from backend.db.identifiers import new_id
from backend.db.models import Box
from backend.db.session import Signal, signal_after_commit
from backend.errors import ConflictError
from contracts.attempts import BoxRegistered, BoxState
from contracts.wire import LEASE_SECONDS, box_queue

ALIVE_FOR = timedelta(seconds=15)
_NOT_A_DISK = frozenset({"tmpfs", "ramfs"})


@dataclass(frozen=True, kw_only=True, slots=True)
class BoxView:
    """A box as planning and scheduling see it."""

    box_id: str
    name: str
    is_alive: bool
    seen_at: datetime
    host_ram_bytes: int
    host_ram_available_bytes: int
    nvme_free_bytes: int
    nvme_total_bytes: int


class BoxNameTakenError(ConflictError):
    def __init__(self, name: str, *, seen_seconds_ago: float) -> None:
        super().__init__(
            code="box_name_taken",
            title="Another agent has this name",
            detail=f"The agent of the box {name!r} was heard of {seen_seconds_ago:.0f} s ago, and this is another one.",
            hint="Give each box a name of its own (`--name`). An agent whose data folder is new may take the name "
            f"{ALIVE_FOR.total_seconds():.0f} s after the old one was last heard of.",
        )


def register(session: Session, state: BoxState, *, now: datetime) -> BoxRegistered:
    """The same name is the same box. Raises BoxNameTakenError: two agents of one box would run its attempts twice."""
    box = repository.by_name(session, state.name)
    if box is None:
        box = Box(box_id=new_id("box"), name=state.name, state="", registered_at=now, seen_at=now)
        session.add(box)
    elif _is_alive(box, now) and _is_another(BoxState.model_validate_json(box.state).agent_id, state.agent_id):
        raise BoxNameTakenError(state.name, seen_seconds_ago=(now - box.seen_at).total_seconds())
    if not _is_alive(box, now) or box.state == "":
        # Jobs may have waited for it; they need not wait for the scheduler's next round as well.
        signal_after_commit(session, Signal.QUEUE)
    box.state, box.seen_at = state.model_dump_json(), now
    session.flush()
    return BoxRegistered(box_id=box.box_id, queue=box_queue(box.box_id), lease_seconds=LEASE_SECONDS)


def heard_of(session: Session, box_id: str, *, now: datetime) -> None:
    session.get_one(Box, box_id).seen_at = now


def leaving(session: Session, box_id: str, *, now: datetime) -> None:
    """Its agent says that it stops: not alive until it is heard of again."""
    session.get_one(Box, box_id).seen_at = now - ALIVE_FOR


def list_boxes(session: Session, *, now: datetime) -> list[BoxRead]:
    return [
        BoxRead(
            box_id=box.box_id,
            name=box.name,
            state=BoxState.model_validate_json(box.state),
            seen_at=box.seen_at,
            is_alive=_is_alive(box, now),
        )
        for box in repository.every(session)
    ]


def views(session: Session, *, now: datetime) -> list[BoxView]:
    return [_view(box, now) for box in repository.every(session)]


def _view(box: Box, now: datetime) -> BoxView:
    state = BoxState.model_validate_json(box.state)
    # A tmpfs is RAM: state there would be counted on the wrong tier.
    disks = [path for path in state.nvme if path.filesystem not in _NOT_A_DISK]
    return BoxView(
        box_id=box.box_id,
        name=box.name,
        is_alive=_is_alive(box, now),
        seen_at=box.seen_at,
        host_ram_bytes=state.host_ram_bytes,
        host_ram_available_bytes=state.host_ram_available_bytes,
        nvme_free_bytes=sum(path.free_bytes for path in disks),
        nvme_total_bytes=sum(path.total_bytes for path in disks),
    )


def _is_another(known_agent_id: str, agent_id: str) -> bool:
    return bool(known_agent_id and agent_id) and known_agent_id != agent_id


def _is_alive(box: Box, now: datetime) -> bool:
    return now - box.seen_at < ALIVE_FOR
