"""What the agent says of its box."""

import os
import secrets
from functools import cache
from importlib.metadata import version
from pathlib import Path

from contracts.attempts import BoxState, GpuState
from worker.atomic_file import write_atomic
from worker.disks import read_nvme_path
from worker.gpus import read_gpus
from worker.host_ram import read_host_ram
from worker.process_tree import boot_id
from worker.settings import WorkerSettings


def read_box_state(settings: WorkerSettings) -> BoxState:
    """Cheap after the first call, which asks the GPU driver."""
    ram = read_host_ram()
    return BoxState(
        name=settings.name,
        agent_id=_agent_id(settings.run_folder),
        boot_id=boot_id(),
        host_ram_bytes=ram.total_bytes,
        host_ram_available_bytes=ram.available_bytes,
        cpu_cores=len(os.sched_getaffinity(0)),
        gpus=list(_gpus()),
        nvme=[read_nvme_path(path) for path in settings.nvme_paths],
        agent_version=version("spillway"),
    )


@cache
def _agent_id(run_folder: Path) -> str:
    file = run_folder / "agent-id"
    if not file.exists():
        write_atomic(file, secrets.token_hex(16) + "\n")
    return file.read_text().strip()


@cache
def _gpus() -> tuple[GpuState, ...]:
    """Devices do not come and go while a box is up, and asking every two seconds would keep the driver awake."""
    return tuple(read_gpus())
