"""The two process attributes of Linux that Python does not reach."""

import ctypes
import os
import signal

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


def become_child_subreaper() -> None:
    """Orphaned descendants become our children instead of init's. Raises OSError."""
    _set(_PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent(parent_pid: int) -> None:
    """TERM us when the thread that started us ends. Raises SystemExit when `parent_pid` is gone already."""
    _set(_PR_SET_PDEATHSIG, signal.SIGTERM)
    # The parent may have died before the attribute was set; then no signal ever comes.
    if os.getppid() != parent_pid:
        raise SystemExit(f"the agent (pid {parent_pid}) is gone")


def _set(option: int, value: int) -> None:
    if _libc.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
