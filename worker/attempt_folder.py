"""One attempt's folder as agent and shim see it; `contracts.spool` names its files."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from contracts.attempts import AttemptStarted, Claim, ExitRecord
from contracts.spool import (
    ARTIFACT_FOLDER,
    CLAIM_FILE,
    EVENTS_FILE,
    EXIT_FILE,
    OUTPUT_FILE,
    RUN_FILE,
    SHIM_FILE,
    SPANS_FOLDER,
    STATE_FOLDER,
    STOP_FILE,
    RunOrder,
    StopReason,
)
from worker.atomic_file import write_atomic, write_model
from worker.host_ram import OomKills

REPORTED_FILE = "reported"
"""The agent has nothing more to do for this attempt; the text says how it ended."""
OOM_KILLS_FILE = "oom-kills.json"
"""The kernel's counters before the start."""
KEPT_ATTEMPTS = 20


@dataclass(frozen=True, slots=True)
class AttemptFolder:
    path: Path

    @property
    def events(self) -> Path:
        return self.path / EVENTS_FILE

    @property
    def output(self) -> Path:
        return self.path / OUTPUT_FILE

    @property
    def spans(self) -> Path:
        return self.path / SPANS_FOLDER

    @property
    def artifact(self) -> Path:
        return self.path / ARTIFACT_FOLDER

    def create(self, claim: Claim) -> None:
        """Safe to repeat."""
        for folder in (self.path, self.spans, self.artifact, self.path / STATE_FOLDER):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_model(self.path / CLAIM_FILE, claim)

    def claim(self) -> Claim | None:
        """None: the agent died while it made the folder; the API still has the claim and gives it again."""
        file = self.path / CLAIM_FILE
        return Claim.model_validate_json(file.read_bytes()) if file.exists() else None

    def write_order(self, order: RunOrder, oom_kills: OomKills) -> None:
        write_model(self.path / OOM_KILLS_FILE, oom_kills)
        write_model(self.path / RUN_FILE, order)

    def oom_kills_before(self) -> OomKills | None:
        file = self.path / OOM_KILLS_FILE
        return OomKills.model_validate_json(file.read_bytes()) if file.exists() else None

    def started(self) -> AttemptStarted | None:
        file = self.path / SHIM_FILE
        return AttemptStarted.model_validate_json(file.read_bytes()) if file.exists() else None

    def exit_record(self) -> ExitRecord | None:
        file = self.path / EXIT_FILE
        return ExitRecord.model_validate_json(file.read_bytes()) if file.exists() else None

    def ask_stop(self, reason: StopReason) -> None:
        """A person's cancel outlives an interrupt: the job must not be queued again."""
        if self.stop_reason() is not StopReason.CANCEL:
            write_atomic(self.path / STOP_FILE, reason)

    def stop_reason(self) -> StopReason | None:
        file = self.path / STOP_FILE
        return StopReason(file.read_text().strip()) if file.exists() else None

    @property
    def is_reported(self) -> bool:
        return (self.path / REPORTED_FILE).exists()

    def mark_reported(self, how: str) -> None:
        write_atomic(self.path / REPORTED_FILE, how + "\n")

    def drop_scratch(self, attempt_id: str, nvme_paths: tuple[Path, ...]) -> None:
        """Remove the engine's files of this attempt, here and below the NVMe paths."""
        below = [found for path in nvme_paths for found in path.glob(f"*{attempt_id}*")]
        for leftover in (path for path in (self.path / STATE_FOLDER, *below) if path.exists()):
            shutil.rmtree(leftover) if leftover.is_dir() else leftover.unlink()

    def drop_artifact(self) -> None:
        """Only after the API has stored it."""
        if self.artifact.exists():
            shutil.rmtree(self.artifact)


def unreported_folders(attempts: Path) -> list[AttemptFolder]:
    """Oldest first."""
    folders = [AttemptFolder(path) for path in _folders(attempts)]
    return [folder for folder in folders if not folder.is_reported]


def prune_reported(attempts: Path, kept: int = KEPT_ATTEMPTS) -> list[Path]:
    """Remove all but the last `kept` reported attempts; returns what went."""
    reported = [path for path in _folders(attempts) if (path / REPORTED_FILE).exists()]
    reported.sort(key=lambda path: (path / REPORTED_FILE).stat().st_mtime_ns)
    gone = reported[:-kept]
    for path in gone:
        shutil.rmtree(path)
    return gone


def _folders(attempts: Path) -> list[Path]:
    return sorted((path for path in attempts.iterdir() if path.is_dir()), key=lambda path: path.stat().st_ctime_ns)
