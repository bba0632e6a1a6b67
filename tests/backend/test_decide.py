"""The pure decisions: legal moves, who gets which box, where state goes, how guessing is slowed down."""

from datetime import UTC, datetime

import pytest

from backend.boxes.service import BoxView
from backend.jobs.placement import demand, find_problem
from backend.jobs.states import LEGAL_MOVES, IllegalMoveError, check_move
from backend.scheduler.decide import Grant, QueuedJob, Wait, decide
from contracts.job import JobSpec, JobState
from contracts.reasons import Reason

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def box(name: str, *, alive: bool = True, ram: int = 100, nvme: int = 1000, free: int | None = None) -> BoxView:
    return BoxView(
        box_id=name,
        name=name,
        is_alive=alive,
        seen_at=NOW,
        host_ram_bytes=ram,
        host_ram_available_bytes=ram,
        nvme_free_bytes=nvme if free is None else free,
        nvme_total_bytes=nvme,
    )


def job(name: str, *, num_parameters: int | None = 10, **placement: int | None) -> QueuedJob:
    where = placement or {"host_bytes": 0, "nvme_bytes": None}
    spec = JobSpec.model_validate({"name": name, "model": "m", "dataset": "d", "placement": where})
    return QueuedJob(job_id=name, name=name, wanted=demand(spec, num_parameters))


def test_each_state_is_in_the_table_and_the_final_ones_lead_nowhere() -> None:
    assert set(LEGAL_MOVES) == {None, *JobState}
    for state in JobState:
        assert state.is_final == (not LEGAL_MOVES[state])
    reachable = {to for moves in LEGAL_MOVES.values() for to in moves}
    assert reachable == set(JobState)
    check_move(JobState.QUEUED, JobState.STARTING)
    for illegal in (
        (JobState.SUCCEEDED, JobState.RUNNING),
        (JobState.CANCELLING, JobState.RUNNING),
        (None, JobState.RUNNING),
    ):
        with pytest.raises(IllegalMoveError):
            check_move(*illegal)


def test_the_first_job_gets_the_roomiest_box_and_the_next_the_other() -> None:
    verdicts = decide([job("a"), job("b"), job("c")], [box("small", nvme=500), box("large")], {})
    assert [(v.job_id, v.box.name) for v in verdicts if isinstance(v, Grant)] == [("a", "large"), ("b", "small")]
    waits = verdicts[2]
    assert isinstance(waits, Wait)
    assert waits.reason is Reason.BOX_BUSY
    assert "large runs 'a' (a)" in waits.message


def test_a_job_too_large_for_now_lets_a_small_one_pass() -> None:
    verdicts = decide([job("large", num_parameters=100), job("small")], [box("box", free=200)], {})
    assert isinstance(verdicts[0], Wait)
    assert verdicts[0].reason is Reason.BOX_TOO_SMALL
    assert "800 B of NVMe" in verdicts[0].message
    assert "200 B of NVMe free" in verdicts[0].message
    assert isinstance(verdicts[1], Grant)


def test_a_busy_box_counts_with_what_it_has_when_it_is_idle() -> None:
    (verdict,) = decide([job("a")], [box("box", free=0)], {"box": "'z' (z)"})
    assert isinstance(verdict, Wait)
    assert verdict.reason is Reason.BOX_BUSY


def test_without_a_living_box_the_last_one_heard_of_is_named() -> None:
    (silent,) = decide([job("a")], [box("box", alive=False)], {})
    (never,) = decide([job("a")], [], {})
    assert isinstance(silent, Wait)
    assert isinstance(never, Wait)
    assert (silent.reason, never.reason) == (Reason.NO_BOX, Reason.NO_BOX)
    assert silent.message == "box was last heard of at 2026-01-01 00:00:00 UTC."
    assert never.message == "No box has ever registered."


def test_a_model_of_unknown_size_is_tried_on_any_box() -> None:
    (verdict,) = decide([job("a", num_parameters=None)], [box("box", free=0)], {})
    assert isinstance(verdict, Grant)


def test_host_fills_first_and_bounds_that_leave_a_rest_are_impossible() -> None:
    split = job("a", host_bytes=30, nvme_bytes=None).wanted
    assert (split.state_bytes, split.host_bytes, split.nvme_bytes, split.missing_bytes) == (80, 30, 50, 0)
    short = job("a", host_bytes=30, nvme_bytes=40).wanted
    assert short.missing_bytes == 10
    problem = find_problem(short, [])
    assert problem is not None
    assert "by 10 bytes" in problem.hint


def test_only_boxes_all_of_one_kind_make_a_placement_impossible() -> None:
    wanted = job("a", num_parameters=1000).wanted
    assert find_problem(wanted, []) is None, "a box may come"
    assert find_problem(wanted, [box("a"), box("b")]) is not None
    assert find_problem(wanted, [box("a"), box("b", nvme=2000)]) is None, "a larger one may be on its way"
    assert find_problem(wanted, [box("a", nvme=9000, free=0)]) is None, "full is not too small"
