"""The NVIDIA devices of this box, asked from the driver's own tool."""

import shutil
import subprocess

import structlog

from contracts.attempts import GpuState

_QUERY = "--query-gpu=uuid,name,memory.total"
_MIB = 2**20

log = structlog.stdlib.get_logger(__name__)


def read_gpus() -> list[GpuState]:
    """Empty without a driver. May block for seconds while the driver wakes up."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        done = subprocess.run(
            [program, _QUERY, "--format=csv,noheader,nounits"], capture_output=True, text=True, check=True, timeout=30
        )
    except (subprocess.SubprocessError, OSError) as error:
        log.warning("the GPUs cannot be read; going on without them", error=str(error))
        return []
    return parse_gpus(done.stdout)


def parse_gpus(table: str) -> list[GpuState]:
    rows = (line.split(", ") for line in table.splitlines() if line.strip())
    # A device in an error state has "[N/A]" for a number; it can hold nothing.
    return [
        GpuState(uuid=uuid, name=name, total_bytes=int(mib) * _MIB) for uuid, name, mib in rows if mib.strip().isdigit()
    ]
