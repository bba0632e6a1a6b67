"""What stands behind a folder for state: room, and which filesystem it really is."""

import os
import re
from pathlib import Path

from contracts.attempts import NvmePathState

_MOUNTINFO = Path("/proc/self/mountinfo")


def read_nvme_path(path: Path) -> NvmePathState:
    """A folder that cannot be asked, because its disk is gone, has no room; the agent lives on without it."""
    try:
        room = os.statvfs(path)
    except OSError as error:
        return NvmePathState(path=str(path), total_bytes=0, free_bytes=0, filesystem=f"unreachable: {error.strerror}")
    mounts = _MOUNTINFO.read_text() if _MOUNTINFO.exists() else ""
    return NvmePathState(
        path=str(path),
        total_bytes=room.f_blocks * room.f_frsize,
        free_bytes=room.f_bavail * room.f_frsize,
        filesystem=filesystem_of(path.resolve(), mounts),
    )


def filesystem_of(path: Path, mountinfo: str) -> str:
    """Type of the mount that `path` lies on; "unknown" where the table does not say."""
    best_length, found = -1, "unknown"
    for line in mountinfo.splitlines():
        fields, _, rest = line.partition(" - ")
        mount_point = Path(_unescape(fields.split()[4]))
        # A later mount on the same point hides the earlier one.
        if path.is_relative_to(mount_point) and len(mount_point.parts) >= best_length:
            best_length, found = len(mount_point.parts), rest.split()[0]
    return found


def _unescape(text: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)
