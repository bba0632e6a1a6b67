"""Arithmetic on time intervals. Pure; intervals are (start, end) pairs, unions are sorted and disjoint."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Interval = tuple[int, int]


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """Return the sorted disjoint intervals that cover the same time; empty ones vanish."""
    merged: list[Interval] = []
    for start, end in sorted(interval for interval in intervals if interval[1] > interval[0]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def intersection(left: Sequence[Interval], right: Sequence[Interval]) -> list[Interval]:
    """Return the time that two unions share."""
    shared: list[Interval] = []
    i = j = 0
    while i < len(left) and j < len(right):
        start, end = max(left[i][0], right[j][0]), min(left[i][1], right[j][1])
        if start < end:
            shared.append((start, end))
        if left[i][1] < right[j][1]:
            i += 1
        else:
            j += 1
    return shared


def difference(left: Sequence[Interval], right: Sequence[Interval]) -> list[Interval]:
    """Return the time of the first union that the second does not cover."""
    remaining: list[Interval] = []
    for start, end in left:
        cursor = start
        for other_start, other_end in right:
            if other_end <= cursor or other_start >= end:
                continue
            if other_start > cursor:
                remaining.append((cursor, other_start))
            cursor = max(cursor, other_end)
        if cursor < end:
            remaining.append((cursor, end))
    return remaining


def total(intervals: Iterable[Interval]) -> int:
    """Return the summed length."""
    return sum(end - start for start, end in intervals)


def overlap_share(transfers: Iterable[Interval], stalls: Iterable[Interval]) -> float | None:
    """Return the share of transfer time during which nothing waited; None where nothing was transferred.

    1 - |union(transfers) and union(stalls)| / |union(transfers)|.
    """
    moved = union(transfers)
    if not moved:
        return None
    return 1 - total(intersection(moved, union(stalls))) / total(moved)
