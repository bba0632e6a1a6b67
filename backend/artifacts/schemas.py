"""The files a job left behind."""

from contracts.base import Contract


class ArtifactRead(Contract):
    name: str
    num_bytes: int
    sha256: str


class ArtifactList(Contract):
    items: list[ArtifactRead]
    complete: bool
    """True once every file of the newest attempt's artifact is stored."""
