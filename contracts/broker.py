"""How a broker URL becomes Celery's settings: the same at both ends of the wire."""

from typing import Any
from urllib.parse import unquote, urlsplit

SOCKET_TIMEOUT_SECONDS = 2.0


class BrokerUrlError(ValueError):
    """The URL names no broker that can be used."""


def broker_options(url: str) -> tuple[str, dict[str, Any]]:
    """Return `broker_url` and `broker_transport_options`.

    `redis://`, `rediss://` and `redis+socket:///path` get short socket timeouts: a dead broker must not hold anybody.
    `filesystem:///folder` keeps its messages below that folder; both ends read and write the same one, so it exists.
    Raises BrokerUrlError for anything else.
    """
    parts = urlsplit(url)
    if parts.scheme in {"redis", "rediss", "redis+socket"}:
        timeouts = {"socket_timeout": SOCKET_TIMEOUT_SECONDS, "socket_connect_timeout": SOCKET_TIMEOUT_SECONDS}
        return url, timeouts
    folder = unquote(parts.path)
    if parts.scheme == "filesystem" and not parts.netloc and folder.strip("/"):
        # What one end sends, the other receives: the same folder under both names.
        return "filesystem://", {
            "data_folder_in": folder,
            "data_folder_out": folder,
            "control_folder": f"{folder.rstrip('/')}/control",
        }
    msg = f"{url!r} is no broker; write redis://HOST:PORT/0, redis+socket:///PATH or filesystem:///FOLDER"
    raise BrokerUrlError(msg)
