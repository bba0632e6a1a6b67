"""Aligned memory that direct I/O can use and forked children do not inherit."""

from __future__ import annotations

import mmap
from pathlib import Path


def allocate_aligned(num_bytes: int) -> memoryview:
    """Return page-aligned zeroed memory; pages are taken from the system only when touched.

    Shared and not inherited across fork: a child (a DataLoader worker) can neither write into a transfer nor make the
    parent's pages copy-on-write.
    """
    region = mmap.mmap(-1, max(num_bytes, mmap.PAGESIZE), flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    region.madvise(mmap.MADV_DONTFORK)
    return memoryview(region)[:num_bytes]


def available_ram_bytes() -> int | None:
    """Return what the system could hand out now, or None where it does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")), None)


class BufferPool:
    """A fixed number of equal buffers, made once and reused. Not thread-safe: its owner holds a lock.

    Buffers are granted by the pipeline in (step, partition) order, so that whoever holds one can always finish without
    another: that is why it cannot deadlock.
    """

    def __init__(self, *, num_buffers: int, buffer_bytes: int) -> None:
        self.num_buffers = num_buffers
        self.buffer_bytes = buffer_bytes
        region = allocate_aligned(num_buffers * buffer_bytes)
        self._free = [region[start : start + buffer_bytes] for start in range(0, len(region), buffer_bytes or 1)]
        self._most_in_use = 0

    @property
    def total_bytes(self) -> int:
        """Bytes of all buffers."""
        return self.num_buffers * self.buffer_bytes

    @property
    def num_free(self) -> int:
        """Buffers that nobody holds."""
        return len(self._free)

    @property
    def most_bytes_in_use(self) -> int:
        """The most bytes that were ever held at once."""
        return self._most_in_use * self.buffer_bytes

    def take(self) -> memoryview:
        """Return a free buffer; the caller has seen that there is one."""
        buffer = self._free.pop()
        self._most_in_use = max(self._most_in_use, self.num_buffers - len(self._free))
        return buffer

    def give_back(self, buffer: memoryview) -> None:
        """Return a buffer taken before."""
        self._free.append(buffer)
