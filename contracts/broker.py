"""A broker URL as people write it, turned into what Celery needs. Both ends of the wire must agree on it."""

from pathlib import Path
from typing import Any

_FILESYSTEM = "filesystem://"


def broker_options(url: str) -> tuple[str, dict[str, Any]]:
    """`(broker, broker_transport_options)` for a Celery app.

    `filesystem:///folder` keeps its messages in that folder, which is made (0700) when it is missing; raises OSError.
    """
    if not url.startswith(_FILESYSTEM):
        return url, {}
    messages = Path(url.removeprefix(_FILESYSTEM))
    control = messages / "control"
    for folder in (messages, control):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    # One folder for both directions: what the API writes out is what the box reads in.
    return _FILESYSTEM, {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
    }
