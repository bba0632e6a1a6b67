"""Run a program that the kernel ends when its parent dies, whatever kills the parent.

    python -m spillway.launcher.tether PARENT_PID SIGNAL PROGRAM ARG...

A program of its own, not a `preexec_fn`: code between fork and exec is unsafe in a parent with threads.
The kernel watches the parent's thread that forked, so a launcher starts its children from its main thread.
"""

import ctypes
import os
import sys

_PR_SET_PDEATHSIG = 1


def tether_to_parent(parent_pid: int, death_signal: int) -> None:
    """Ask for `death_signal` when the parent dies. Where the system cannot (not Linux) this does nothing."""
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, death_signal, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG)")
    # The parent may have died before the call; then nobody would ever signal us.
    if os.getppid() != parent_pid:
        sys.exit(1)


def main() -> None:
    parent_pid, death_signal, *command = sys.argv[1:]
    tether_to_parent(int(parent_pid), int(death_signal))
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
