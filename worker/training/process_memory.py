"""Resident memory of this process, as the kernel counts it."""

from pathlib import Path

_RESET_PEAK = "5"


def reset_peak_rss() -> None:
    """Start counting the peak anew from what is resident now."""
    Path("/proc/self/clear_refs").write_text(_RESET_PEAK, encoding="ascii")


def peak_rss_bytes() -> int:
    return _status_bytes("VmHWM")


def rss_bytes() -> int:
    return _status_bytes("VmRSS")


def _status_bytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name == field:
            return int(value.split()[0]) * 1024
    msg = f"/proc/self/status has no {field}"
    raise RuntimeError(msg)
