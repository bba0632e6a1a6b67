"""Tables and constraints, nothing else. Every row that a person owns carries `project_id`."""

from datetime import datetime
from typing import Annotated, ClassVar

from sqlalchemy import BigInteger, ForeignKey, Index, MetaData, UniqueConstraint, text, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from backend.attempts.states import AttemptState
from backend.authorization import Role
from backend.db.types import CleanString, CleanText, RowNumber, UtcDateTime, text_enum
from contracts.events import Phase
from contracts.job import JobState
from contracts.reasons import Reason

Key = Annotated[str, mapped_column(CleanString(40), primary_key=True)]
Sha256 = Annotated[str, mapped_column(CleanString(64))]
Bytes = Annotated[int, mapped_column(BigInteger)]
LongText = Annotated[str, mapped_column(CleanText)]


class Base(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar = {
        datetime: UtcDateTime,
        str: CleanString(200),
        Role: text_enum(Role),
        JobState: text_enum(JobState),
        AttemptState: text_enum(AttemptState),
        Reason: text_enum(Reason),
        Phase: text_enum(Phase),
    }


class Project(Base):
    __tablename__ = "projects"
    project_id: Mapped[Key]
    name: Mapped[str]
    created_at: Mapped[datetime]
    pruned_event_id: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    """Events up to here may be gone; a reader who is further back starts from a fresh snapshot."""


class User(Base):
    __tablename__ = "users"
    user_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    username: Mapped[str] = mapped_column(CleanString(100), unique=True)
    password_hash: Mapped[str] = mapped_column(CleanString(300))
    role: Mapped[Role]
    created_at: Mapped[datetime]


class BrowserSession(Base):
    __tablename__ = "browser_sessions"
    token_hash: Mapped[str] = mapped_column(CleanString(64), primary_key=True)
    user_id: Mapped[str] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"), index=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]


class ApiToken(Base):
    __tablename__ = "api_tokens"
    token_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    user_id: Mapped[str | None] = mapped_column(ForeignKey("users.user_id", ondelete="CASCADE"))
    """Null: the token of this machine's command line, which exists before the first person does."""
    name: Mapped[str] = mapped_column(CleanString(100))
    role: Mapped[Role]
    token_hash: Mapped[str] = mapped_column(CleanString(64), unique=True)
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]


class Model(Base):
    __tablename__ = "models"
    __table_args__ = (UniqueConstraint("project_id", "name"),)
    model_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    name: Mapped[str]
    source: Mapped[LongText]
    architecture: Mapped[str | None]
    num_parameters: Mapped[int | None] = mapped_column(BigInteger)
    dtype: Mapped[str | None] = mapped_column(CleanString(20))
    created_at: Mapped[datetime]
    created_by: Mapped[str]


class Dataset(Base):
    __tablename__ = "datasets"
    __table_args__ = (UniqueConstraint("project_id", "sha256"), Index(None, "project_id", "name"))
    dataset_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    name: Mapped[str]
    sha256: Mapped[Sha256]
    num_bytes: Mapped[Bytes]
    num_rows: Mapped[Bytes]
    created_at: Mapped[datetime]
    created_by: Mapped[str]


class Job(Base):
    __tablename__ = "jobs"
    __table_args__ = (Index(None, "project_id", "job_id"), Index(None, "state"))
    job_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    name: Mapped[str]
    state: Mapped[JobState]
    reason: Mapped[Reason | None]
    message: Mapped[LongText]
    spec: Mapped[LongText]
    model_id: Mapped[str] = mapped_column(ForeignKey("models.model_id"))
    dataset_id: Mapped[str] = mapped_column(ForeignKey("datasets.dataset_id"))
    created_by: Mapped[str]
    created_at: Mapped[datetime]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    cancel_requested_at: Mapped[datetime | None]
    num_lost: Mapped[int] = mapped_column(default=0)
    """Attempts lost so far; the job is given up when it passes the limit."""
    pruned_event_id: Mapped[int] = mapped_column(BigInteger, default=0, server_default=text("0"))
    has_all_steps: Mapped[bool] = mapped_column(default=True, server_default=true())
    """False: its step events were pruned, charts come from the metric buckets alone."""
    # Of the newest attempt, folded from its events; set back when a new attempt is granted.
    attempt_number: Mapped[int] = mapped_column(default=0)
    attempt_id: Mapped[str | None] = mapped_column(CleanString(40))
    phase: Mapped[Phase | None]
    step: Mapped[int | None] = mapped_column(BigInteger)
    total_steps: Mapped[int | None] = mapped_column(BigInteger)
    last_loss: Mapped[float | None]
    eval_loss_before: Mapped[float | None]
    eval_loss_after: Mapped[float | None]


class JobMove(Base):
    __tablename__ = "job_moves"
    move_id: Mapped[int] = mapped_column(RowNumber, primary_key=True, autoincrement=True)
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.job_id", ondelete="CASCADE"), index=True)
    time: Mapped[datetime]
    actor: Mapped[str]
    from_state: Mapped[JobState | None]
    to_state: Mapped[JobState]
    reason: Mapped[Reason | None]
    message: Mapped[LongText]


class IdempotencyKey(Base):
    __tablename__ = "idempotency_keys"
    project_id: Mapped[str] = mapped_column(CleanString(40), primary_key=True)
    actor_id: Mapped[str] = mapped_column(CleanString(40), primary_key=True)
    key: Mapped[str] = mapped_column(CleanString(200), primary_key=True)
    body_sha256: Mapped[Sha256]
    answer: Mapped[LongText]
    created_at: Mapped[datetime]


class Box(Base):
    __tablename__ = "boxes"
    box_id: Mapped[Key]
    name: Mapped[str] = mapped_column(CleanString(100), unique=True)
    state: Mapped[LongText]
    registered_at: Mapped[datetime]
    seen_at: Mapped[datetime]


class Attempt(Base):
    __tablename__ = "attempts"
    __table_args__ = (
        UniqueConstraint("job_id", "number"),
        Index(
            "uq_attempts_one_live_a_job",
            "job_id",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
    )
    attempt_id: Mapped[Key]
    project_id: Mapped[str] = mapped_column(ForeignKey("projects.project_id"))
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.job_id", ondelete="CASCADE"))
    box_id: Mapped[str] = mapped_column(ForeignKey("boxes.box_id"), index=True)
    number: Mapped[int]
    fence: Mapped[int]
    state: Mapped[AttemptState]
    granted_at: Mapped[datetime]
    claimed_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    shim: Mapped[str | None] = mapped_column(CleanText)
    training: Mapped[str | None] = mapped_column(CleanText)
    exit_code: Mapped[int | None]
    signal: Mapped[int | None]
    reason: Mapped[Reason | None]
    message: Mapped[LongText]
    last_seq: Mapped[int] = mapped_column(BigInteger, default=0)
    manifest_at: Mapped[datetime | None]
    """When the list of its artifact's files was stored, each of them being there."""


class Lease(Base):
    """The right of one attempt to one box and to bytes of its RAM and disk, until it expires."""

    __tablename__ = "leases"
    __table_args__ = (
        Index(
            "uq_leases_one_live_a_box",
            "box_id",
            unique=True,
            sqlite_where=text("released_at IS NULL"),
            postgresql_where=text("released_at IS NULL"),
        ),
    )
    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.attempt_id", ondelete="CASCADE"), primary_key=True)
    box_id: Mapped[str] = mapped_column(ForeignKey("boxes.box_id"))
    host_bytes: Mapped[Bytes]
    nvme_bytes: Mapped[Bytes]
    expires_at: Mapped[datetime]
    released_at: Mapped[datetime | None]


class Event(Base):
    __tablename__ = "events"
    __table_args__ = (
        UniqueConstraint("attempt_id", "seq"),
        Index(None, "job_id", "event_id"),
        Index(None, "project_id", "event_id"),
        Index(
            "ix_events_steps",
            "attempt_id",
            "step",
            sqlite_where=text("step IS NOT NULL"),
            postgresql_where=text("step IS NOT NULL"),
        ),
        Index(
            "ix_events_milestones",
            "attempt_id",
            "kind",
            sqlite_where=text("kind <> 'step.completed'"),
            postgresql_where=text("kind <> 'step.completed'"),
        ),
        # Never hand an id out twice, even after the newest rows were removed: readers resume by it.
        {"sqlite_autoincrement": True},
    )
    event_id: Mapped[int] = mapped_column(RowNumber, primary_key=True, autoincrement=True)
    project_id: Mapped[str] = mapped_column(CleanString(40))
    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.job_id", ondelete="CASCADE"))
    attempt_id: Mapped[str | None] = mapped_column(ForeignKey("attempts.attempt_id", ondelete="CASCADE"))
    seq: Mapped[int | None] = mapped_column(BigInteger)
    kind: Mapped[str] = mapped_column(CleanString(40))
    step: Mapped[int | None] = mapped_column(BigInteger)
    """Of step and evaluation events: the per-step rows that charts are drawn from."""
    time: Mapped[datetime]
    payload: Mapped[LongText]


class MetricBucket(Base):
    """Steps of one series folded together: bucket `b` of level `k` covers steps `b << k` up to `(b + 1) << k`."""

    __tablename__ = "metric_buckets"
    __table_args__ = ({"sqlite_with_rowid": False},)
    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.attempt_id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(CleanString(40), primary_key=True)
    level: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    min: Mapped[float | None]
    max: Mapped[float | None]
    last: Mapped[float | None]
    last_step: Mapped[int] = mapped_column(BigInteger)
    count: Mapped[Bytes]
    nan_count: Mapped[Bytes]


class ArtifactRow(Base):
    __tablename__ = "artifact_files"
    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempts.attempt_id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str] = mapped_column(CleanString(300), primary_key=True)
    num_bytes: Mapped[Bytes]
    sha256: Mapped[Sha256]


class OutboxRow(Base):
    """A wake-up to be sent. Losing one costs seconds: the agent polls as well."""

    __tablename__ = "outbox"
    outbox_id: Mapped[int] = mapped_column(RowNumber, primary_key=True, autoincrement=True)
    queue: Mapped[str]
    attempt_id: Mapped[str] = mapped_column(CleanString(40))
    created_at: Mapped[datetime]


class Loop(Base):
    """Which API process runs a background loop; one at a time."""

    __tablename__ = "loops"
    name: Mapped[str] = mapped_column(CleanString(40), primary_key=True)
    holder: Mapped[str] = mapped_column(CleanString(40))
    expires_at: Mapped[datetime]
