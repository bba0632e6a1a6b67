"""One execution of a job on a box: claim, fence, heartbeat, exit. Between the agent and the API."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from contracts.base import Contract, UtcTime
from contracts.events import Event
from contracts.job import JobSpec
from contracts.reasons import Reason

Fence = Annotated[int, Field(ge=1)]
"""Grows with every grant of a job. Only the holder of the current fence may write; a stale one gets 409."""


class LocalFolder(Contract):
    """A folder in Hugging Face layout that the box can read."""

    kind: Literal["local_folder"] = "local_folder"
    path: str


class HuggingFaceRepo(Contract):
    kind: Literal["hugging_face"] = "hugging_face"
    repo: str = Field(pattern=r"^[A-Za-z0-9][\w.-]*/[\w.-]+$|^[A-Za-z0-9][\w.-]*$", max_length=200)
    revision: str = Field(default="main", pattern=r"^[\w./-]+$", max_length=200)


ModelSource = Annotated[LocalFolder | HuggingFaceRepo, Field(discriminator="kind")]


class DatasetBlob(Contract):
    """A dataset version: fetched from the API by content hash into the box's cache."""

    dataset_id: str
    name: str
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    num_bytes: int


class NvmePathState(Contract):
    path: str
    total_bytes: int
    free_bytes: int
    filesystem: str
    """`tmpfs` here means RAM: it is shown as such and holds no NVMe state."""


class GpuState(Contract):
    uuid: str
    name: str
    total_bytes: int


class BoxState(Contract):
    """What the agent says of its box when it registers and at each poll."""

    name: str = Field(min_length=1, max_length=100)
    agent_id: str = Field(default="", max_length=64)
    """Made once for an agent's data folder: tells two agents of one name apart. Empty: an agent before this field."""
    boot_id: str
    host_ram_bytes: int
    host_ram_available_bytes: int
    cpu_cores: int
    gpus: list[GpuState] = Field(default=[])
    nvme: list[NvmePathState]
    agent_version: str


class BoxRegistered(Contract):
    box_id: str
    queue: str
    """The Celery queue of the box."""
    lease_seconds: float


class Claim(Contract):
    """The right and the duty to run one attempt."""

    attempt_id: str
    job_id: str
    project_id: str
    number: int
    fence: Fence
    spec: JobSpec
    model: ModelSource
    dataset: DatasetBlob
    lease_seconds: float


class ProcessIdentity(Contract):
    """Which process this is, even after pids were reused or the machine restarted."""

    pid: int
    start_ticks: int
    """Field 22 of /proc/PID/stat."""
    boot_id: str


class AttemptStarted(Contract):
    fence: Fence
    shim: ProcessIdentity
    training: ProcessIdentity | None


class Heartbeat(Contract):
    fence: Fence


class HeartbeatAnswer(Contract):
    cancel_requested: bool
    wanted_spans: list[int]
    """Steps whose lanes somebody looks at."""


class EventBatch(Contract):
    fence: Fence
    events: list[Event] = Field(max_length=500)


class EventsStored(Contract):
    last_seq: int
    """Highest seq stored for the attempt; the agent ships what comes after it."""


class ArtifactFile(Contract):
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$", max_length=300)
    """Relative to the artifact's root, forward slashes."""
    num_bytes: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class ArtifactManifest(Contract):
    fence: Fence
    files: list[ArtifactFile] = Field(max_length=10_000)


class Outcome(StrEnum):
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"
    """The agent was told to stop its runs; the job is queued again."""


class AttemptFinished(Contract):
    """Sent once all events, logs and files are stored and no process of the attempt lives."""

    fence: Fence
    outcome: Outcome
    reason: Reason | None = None
    message: str = Field(default="", max_length=4000)
    exit_code: int | None = None
    signal: int | None = None


class ExitRecord(Contract):
    """`exit.json`, written by the shim when no process of the attempt is left."""

    exit_code: int | None
    signal: int | None
    ended_at: UtcTime
    peak_rss_bytes: int
