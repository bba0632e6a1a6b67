"""A port for the API on loopback."""

import socket

from spillway.errors import BadInputError

DEFAULT_PORT = 8321
_TRIED_PORTS = 20


def choose_port(asked: int | None) -> int:
    """The port that was asked for, else 8321 or the next free one.

    Raises BadInputError when the asked one is taken, or all of ours are. Another program may still take it before us;
    the API's start then says so.
    """
    if asked is not None:
        if not _is_free(asked):
            raise BadInputError(f"Port {asked} is taken.", hint="Leave --port out to use the next free one.")
        return asked
    for port in range(DEFAULT_PORT, DEFAULT_PORT + _TRIED_PORTS):
        if _is_free(port):
            return port
    raise BadInputError(
        f"Ports {DEFAULT_PORT} to {DEFAULT_PORT + _TRIED_PORTS - 1} are all taken.", hint="Name a free one by --port."
    )


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the server binds: sockets of closed connections do not count as taken.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
