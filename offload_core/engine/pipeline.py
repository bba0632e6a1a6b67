"""Read, update and write partitions behind the training thread's back.

One updater thread steps partitions in forward order; readers and writers move them. Everything that is shared changes
under one condition. The training thread only launches rounds and waits.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

import torch

from offload_core.engine.rounds import GrantOrder, ParameterUpdate, partitions_of
from offload_core.engine.state import piece_state
from offload_core.engine.write_guard import WriteGuard
from offload_core.errors import EngineStateError
from offload_core.kernels.update import PieceUpdate, UpdateKernel
from offload_core.planning.partitions import Partition
from offload_core.planning.placement import PlacementPlan
from offload_core.storage.memory import BufferPool, allocate_aligned
from offload_core.storage.store import StateStore
from offload_core.telemetry.spans import Lane, Span, SpanRecorder

_numbers = itertools.count(1)


@dataclass(slots=True)
class _Slot:
    """A granted buffer. Its partition is read into it, stepped in it and written from it."""

    buffer: memoryview
    round: int
    stage: Literal["reading", "loaded", "writing"] = "reading"


class Pipeline:
    """The moving parts of one optimizer. Methods are for the training thread; those named `wait_*` may stall."""

    def __init__(
        self,
        *,
        parameters: Sequence[torch.Tensor],
        plan: PlacementPlan,
        store: StateStore,
        pool: BufferPool,
        guard: WriteGuard,
        kernel: UpdateKernel,
        recorder: SpanRecorder,
        num_io_threads: int,
        num_update_threads: int,
    ) -> None:
        self._parameters = parameters
        self._partitions = plan.partitions
        self._store = store
        self._pool = pool
        self._guard = guard
        self._kernel = kernel
        self._recorder = recorder
        self._host = {
            partition.index: allocate_aligned(partition.state_bytes)
            for partition, residency in zip(plan.partitions, plan.residencies, strict=True)
            if residency.tier != "nvme"
        }
        self.by_parameter = _index_by_parameter(plan.partitions, len(parameters))

        self._changed = threading.Condition()
        self._grants = GrantOrder([p.index for p in plan.partitions if p.index not in self._host])
        self._slots: dict[int, _Slot] = {}
        self._published = [0] * len(plan.partitions)
        self._launched = 0
        self._updates: dict[int, ParameterUpdate] = {}
        self._active: frozenset[int] = frozenset()
        self._is_paused = False
        self._is_closing = False
        self._failure: BaseException | None = None

        self._num_update_threads = num_update_threads
        # Of this pipeline alone, so that it knows its own threads.
        self._thread_prefix = f"spillway-{next(_numbers)}-"
        self._readers = ThreadPoolExecutor(num_io_threads, f"{self._thread_prefix}read")
        self._writers = ThreadPoolExecutor(num_io_threads, f"{self._thread_prefix}write")
        self._update_threads = ThreadPoolExecutor(num_update_threads, f"{self._thread_prefix}update")
        self._updater = threading.Thread(target=self._run_updater, name=f"{self._thread_prefix}updater", daemon=True)
        self._updater.start()

    def launch(self, updates: dict[int, ParameterUpdate]) -> None:
        """Hand over one round, by parameter. Returns at once; the round before it must be updated."""
        with self._changed:
            self._raise_if_unusable()
            self._updates = updates
            self._active = partitions_of(updates, self.by_parameter)
            self._grants.finish_rounds_before(self._launched)
            self._launched += 1
            self._grant_buffers()
            self._changed.notify_all()

    def wait_published(self, partitions: Collection[int]) -> None:
        """Return when the weights of these partitions are those of the newest round."""
        # No lock: the numbers only grow, and a stale look costs one wait.
        if all(self._published[partition] == self._launched for partition in partitions) and self._failure is None:
            return
        self._wait(lambda: all(self._published[partition] == self._launched for partition in partitions))

    def wait_updated(self) -> None:
        """Return when every weight is that of the newest round; writes may go on."""
        self.wait_published(range(len(self._partitions)))

    def wait_idle(self) -> None:
        """Return when, besides, every write is done. Reads ahead may go on."""
        self.wait_updated()
        self._wait(lambda: all(slot.stage != "writing" for slot in self._slots.values()))

    def drain(self) -> None:
        """Grant nothing more and return when nothing is in flight. Only `close` may follow."""
        self.wait_idle()
        with self._changed:
            self._is_paused = True
        self._wait(lambda: all(slot.stage == "loaded" for slot in self._slots.values()))

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Inside, nothing moves and `each_state` may be used; read-ahead is dropped and starts again afterwards."""
        self.wait_updated()
        with self._changed:
            self._is_paused = True
        try:
            self._wait(lambda: all(slot.stage == "loaded" for slot in self._slots.values()))
            with self._changed:
                for partition in list(self._slots):
                    self._release(partition)
                self._grants.restart_round(self._launched)
            yield
        finally:
            with self._changed:
                self._is_paused = False
                self._grant_buffers()

    def each_state(self, *, writes: bool) -> Iterator[tuple[Partition, memoryview]]:
        """Yield every partition with its bytes, one in RAM at a time; with `writes`, keep what was changed.

        Only while paused. Blocks on the disk; raises what the store raises.
        """
        for partition in self._partitions:
            if partition.index in self._host:
                yield partition, self._host[partition.index]
                continue
            buffer = self._pool.take()
            try:
                with self._span("nvme_read", partition.index) as moved:
                    moved(self._store.read(partition.index, buffer))
                yield partition, buffer
                if writes:
                    with self._span("nvme_write", partition.index) as moved:
                        moved(self._store.write(partition.index, buffer))
            finally:
                self._pool.give_back(buffer)

    def finish_updates(self) -> None:
        """Return when every launched update is done, or never will be. Raises nothing, reports nothing."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._failure is not None or self._is_closing or set(self._published) <= {self._launched}
            )

    @property
    def is_updated(self) -> bool:
        """Whether every weight is that of the newest round. A look, not a wait."""
        return all(published == self._launched for published in self._published)

    @property
    def is_own_thread(self) -> bool:
        """Whether the caller is one of the threads that `close` waits for."""
        return threading.current_thread().name.startswith(self._thread_prefix)

    def close(self) -> None:
        """Stop every thread; what is in flight ends first, what is not started never runs. Safe to call twice."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._updater.join()
        for threads in (self._update_threads, self._readers, self._writers):
            threads.shutdown(wait=True, cancel_futures=True)

    def _wait(self, is_done: Callable[[], bool]) -> None:
        with self._changed:
            if not is_done() and self._failure is None:
                with self._recorder.stall():
                    self._changed.wait_for(lambda: is_done() or self._failure is not None or self._is_closing)
            self._raise_if_unusable()

    def _raise_if_unusable(self) -> None:
        if self._failure is not None:
            raise self._failure
        if self._is_closing:
            raise EngineStateError(
                "engine_closed", "The optimizer was closed.", next_step="Build a new OffloadedAdamW to train on."
            )

    # What follows runs on the engine's own threads.

    def _grant_buffers(self) -> None:
        """Grant buffers and start reads for as long as order and pool allow. The caller holds the condition."""
        while self._pool.num_free and not (self._is_paused or self._is_closing or self._failure):
            partition = self._grants.next_grant(launched=self._launched, active=self._active, held=self._slots)
            if partition is None:
                return
            self._slots[partition] = _Slot(self._pool.take(), self._grants.round)
            self._readers.submit(self._guarded, self._read, partition)

    def _release(self, partition: int) -> None:
        self._pool.give_back(self._slots.pop(partition).buffer)
        self._grant_buffers()
        self._changed.notify_all()

    def _read(self, partition: int) -> None:
        slot = self._slots[partition]
        with self._span("nvme_read", partition) as moved:
            moved(self._store.read(partition, slot.buffer))
        with self._changed:
            slot.stage = "loaded"
            self._changed.notify_all()

    def _write(self, partition: int) -> None:
        with self._span("nvme_write", partition) as moved:
            moved(self._store.write(partition, self._slots[partition].buffer))
        with self._changed:
            self._release(partition)

    def _run_updater(self) -> None:
        for number in itertools.count(1):
            with self._changed:
                while self._launched < number and not self._is_closing:
                    self._changed.wait()
            self._guarded(self._run_round, number)
            if self._is_closing or self._failure is not None:
                return

    def _run_round(self, number: int) -> None:
        for partition in self._partitions:
            index = partition.index
            is_active = index in self._active
            slot = None if index in self._host else self._loaded_slot(index, number - 1)
            if self._is_closing or self._failure is not None:
                return
            if is_active:
                self._update(partition, self._host[index] if slot is None else slot.buffer)
            with self._changed:
                self._published[index] = number
                # A partition read ahead before anybody knew that it has no gradient stays as it is on disk.
                if slot is not None and not is_active:
                    self._release(index)
                # Together with the publication: who waits for writes must not find it between the two.
                if slot is not None and is_active:
                    slot.stage = "writing"
                    self._writers.submit(self._guarded, self._write, index)
                self._changed.notify_all()

    def _loaded_slot(self, partition: int, number: int) -> _Slot | None:
        def is_ready() -> bool:
            slot = self._slots.get(partition)
            has_slot = slot is not None and slot.round == number
            if slot is not None and has_slot:
                return slot.stage == "loaded"
            return partition not in self._active

        with self._changed:
            self._changed.wait_for(lambda: is_ready() or self._is_closing or self._failure is not None)
            slot = self._slots.get(partition)
            return slot if slot is not None and slot.round == number else None

    def _update(self, partition: Partition, state: memoryview) -> None:
        pieces: list[PieceUpdate] = []
        with self._span("update", partition.index) as moved:
            for piece in partition.pieces:
                update = self._updates.get(piece.parameter)
                if update is None:
                    continue
                parameter = self._parameters[piece.parameter]
                views = piece_state(piece, state)
                self._guard.check_weight(piece.parameter, update, is_first_piece=piece.start == 0)
                pieces.append(
                    PieceUpdate(
                        weight=parameter.detach().view(-1)[piece.start : piece.stop],
                        grad=update.grad[piece.start : piece.stop],
                        exp_avg=views.exp_avg,
                        exp_avg_sq=views.exp_avg_sq,
                        master=views.master,
                        scalars=update.scalars,
                        parameter_elements=parameter.numel(),
                        ends_parameter=piece.stop == parameter.numel(),
                    )
                )
            self._kernel.update(pieces, self._update_threads, self._num_update_threads)
            moved(partition.state_bytes)
        for piece in partition.pieces:
            update = self._updates.get(piece.parameter)
            if update is None:
                continue
            self._guard.leave_weight(piece.parameter)
            self._guard.check_gradient(piece.parameter, update)
            if piece.stop == self._parameters[piece.parameter].numel():
                # The gradient's memory goes back as soon as its last piece is stepped.
                del self._updates[piece.parameter]

    @contextmanager
    def _span(self, lane: Lane, partition: int) -> Iterator[Callable[[int], None]]:
        """Time what is inside; call what it gives with the bytes moved. Moving nothing leaves no span."""
        start_ns = time.monotonic_ns()
        num_bytes = 0

        def moved(count: int) -> None:
            nonlocal num_bytes
            num_bytes = count

        yield moved
        if num_bytes:
            end_ns = time.monotonic_ns()
            self._recorder.add(
                Span(lane=lane, start_ns=start_ns, end_ns=end_ns, partition=partition, num_bytes=num_bytes)
            )

    def _guarded(self, work: Callable[[int], None], argument: int) -> None:
        """Run work of a thread; its failure is the engine's, and whoever waits raises it."""
        try:
            work(argument)
        except BaseException as error:  # noqa: BLE001 - handed to the training thread, whatever it is
            with self._changed:
                self._failure = self._failure or error
                self._changed.notify_all()


def _index_by_parameter(partitions: Sequence[Partition], num_parameters: int) -> list[list[int]]:
    by_parameter: list[list[int]] = [[] for _ in range(num_parameters)]
    for partition in partitions:
        for piece in partition.pieces:
            by_parameter[piece.parameter].append(partition.index)
    return by_parameter
