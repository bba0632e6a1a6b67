"""A dataset that arrived whole and whose every line is good."""

from dataclasses import dataclass

from backend.blobs.store import BlobStore, Part


@dataclass(frozen=True, kw_only=True, slots=True)
class ReceivedDataset:
    """A dataset whose every line is good; kept once the service says so."""

    part: Part
    sha256: str
    num_rows: int

    @property
    def num_bytes(self) -> int:
        return self.part.num_bytes

    def keep(self, blobs: BlobStore) -> None:
        blobs.keep(self.part, self.sha256)
