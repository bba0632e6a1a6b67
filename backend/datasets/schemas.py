"""Bodies of datasets."""

from contracts.base import Contract, UtcTime
from contracts.dataset import InstructionRow


class DatasetRead(Contract):
    dataset_id: str
    project_id: str
    name: str
    sha256: str
    num_bytes: int
    num_rows: int
    created_at: UtcTime
    created_by: str


class DatasetPreview(Contract):
    rows: list[InstructionRow]
