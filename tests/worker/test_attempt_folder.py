import os
from pathlib import Path

from contracts.spool import StopReason
from worker.attempt_folder import AttemptFolder, prune_reported, unreported_folders


def make(attempts: Path, name: str) -> AttemptFolder:
    folder = AttemptFolder(attempts / name)
    folder.path.mkdir()
    return folder


def test_only_the_last_reported_folders_stay_and_no_unreported_one_goes(tmp_path: Path) -> None:
    for number in range(8):
        folder = make(tmp_path, f"att_{number}")
        if number != 2:
            folder.mark_reported("succeeded")
            os.utime(folder.path / "reported", ns=(number, number))
    gone = prune_reported(tmp_path, kept=3)
    assert sorted(path.name for path in gone) == ["att_0", "att_1", "att_3", "att_4"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["att_2", "att_5", "att_6", "att_7"]
    assert [folder.path.name for folder in unreported_folders(tmp_path)] == ["att_2"]


def test_fewer_folders_than_are_kept_all_stay(tmp_path: Path) -> None:
    make(tmp_path, "att_1").mark_reported("failed")
    assert prune_reported(tmp_path, kept=20) == []


def test_a_cancel_replaces_an_interrupt_and_never_the_other_way(tmp_path: Path) -> None:
    folder = make(tmp_path, "att_1")
    assert folder.stop_reason() is None
    folder.ask_stop(StopReason.INTERRUPT)
    folder.ask_stop(StopReason.CANCEL)
    folder.ask_stop(StopReason.INTERRUPT)
    assert folder.stop_reason() is StopReason.CANCEL


def test_scratch_of_another_attempt_is_not_touched(tmp_path: Path) -> None:
    nvme = tmp_path / "nvme"
    for name in ("att_1", "att_2"):
        (nvme / name).mkdir(parents=True)
    folder = make(tmp_path, "att_1")
    (folder.path / "state").mkdir()
    folder.drop_scratch("att_1", (nvme,))
    assert [path.name for path in nvme.iterdir()] == ["att_2"]
    assert list(folder.path.iterdir()) == []
