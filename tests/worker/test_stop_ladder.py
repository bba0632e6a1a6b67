import pytest

from worker.stop_ladder import StopLadder, StopRung

LADDER = StopLadder(stop_grace_seconds=30.0, kill_grace_seconds=5.0)


@pytest.mark.parametrize(
    ("seconds", "rung"),
    [
        (0.0, StopRung.ASK),
        (29.9, StopRung.ASK),
        (30.0, StopRung.TERM_SHIM),
        (36.9, StopRung.TERM_SHIM),
        (37.0, StopRung.KILL_TREE),
        (39.0, StopRung.KILL_ALL),
        (9999.0, StopRung.KILL_ALL),
    ],
)
def test_each_grace_runs_out_in_turn(seconds: float, rung: StopRung) -> None:
    assert LADDER.rung(seconds) is rung


def test_a_hurried_stop_leaves_out_the_wait_for_a_step_boundary() -> None:
    assert LADDER.rung(0.0, is_hurried=True) is StopRung.TERM_SHIM
    assert LADDER.rung(7.0, is_hurried=True) is StopRung.KILL_TREE
