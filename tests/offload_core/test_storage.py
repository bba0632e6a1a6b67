"""The store moves partitions whole, or says what went wrong; directories have one living owner."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from offload_core.errors import ChecksumError, DiskFullError, RunDirectoryError, StorageError, TransferError
from offload_core.planning.partitions import ParameterSpec, cut_partitions
from offload_core.planning.placement import NvmePath, Placement, assign_tiers
from offload_core.storage.files import DirectFile
from offload_core.storage.filesystem import inspect_filesystem
from offload_core.storage.memory import allocate_aligned
from offload_core.storage.ownership import OwnedDirectory, list_scratch, own_scratch, reclaim_scratch
from offload_core.storage.store import StateStore


class FakeFile:
    """A file in memory that can be short, full or broken."""

    is_direct = True

    def __init__(self, path, *, alignment_bytes=512, most_bytes=None, fails=None):
        self.path, self.alignment_bytes, self.most_bytes, self.fails = path, alignment_bytes, most_bytes, fails or {}
        self.content = bytearray()
        self.is_closed = False

    def _check(self, action):
        if number := self.fails.get(action):
            raise OSError(number, os.strerror(number))

    def reserve(self, num_bytes):
        self._check("reserve")
        self.content.extend(bytes(num_bytes))

    def read_at(self, view, offset):
        self._check("read")
        part = self.content[offset : offset + (self.most_bytes or len(view))][: len(view)]
        view[: len(part)] = part
        return len(part)

    def write_at(self, view, offset):
        self._check("write")
        part = view[: self.most_bytes or len(view)]
        self.content[offset : offset + len(part)] = part
        return len(part)

    def close(self):
        self.is_closed = True


def plan_of(path, num_elements=4096):
    partitions = cut_partitions([ParameterSpec(name="w", num_elements=num_elements, dtype="float32")], 8192)
    return assign_tiers(partitions, Placement(nvme=[NvmePath(path)]))


@pytest.fixture
def store_of(tmp_path):
    stores = []

    def build(open_file=DirectFile):
        stores.append(StateStore(plan_of(tmp_path), [tmp_path], open_file))
        return stores[-1]

    yield build
    for store in stores:
        store.close()


def filled(value):
    buffer = allocate_aligned(8192)
    buffer[:] = bytes([value]) * 8192
    return buffer


def test_what_is_written_is_read_back_with_direct_io(store_of, tmp_path):
    store = store_of()
    assert not store.is_born(1)
    buffer = filled(7)
    assert store.read(1, buffer) == 0
    assert bytes(buffer) == bytes(8192)
    assert store.write(1, filled(3)) == 8192
    assert store.read(1, buffer) == 8192
    assert bytes(buffer) == bytes([3]) * 8192
    assert store.paths[0].is_direct
    assert (tmp_path / "state.bin").stat().st_blocks * 512 >= 4 * 8192
    store.close()
    assert not (tmp_path / "state.bin").exists()


def test_short_transfers_are_continued(store_of):
    store = store_of(lambda path: FakeFile(path, most_bytes=1000))
    store.write(0, filled(5))
    buffer = filled(0)
    store.read(0, buffer)
    assert bytes(buffer) == bytes([5]) * 8192


@pytest.mark.parametrize(("action", "number", "error", "code"), [
    ("write", errno.ENOSPC, DiskFullError, "disk_full"),
    ("write", errno.EIO, TransferError, "write_failed"),
    ("read", errno.EIO, TransferError, "read_failed"),
])  # fmt: skip
def test_a_failed_transfer_names_path_and_bytes(action, number, error, code, store_of, tmp_path):
    files = []

    def open_file(path):
        files.append(FakeFile(path))
        return files[-1]

    store = store_of(open_file)
    store.write(0, filled(1))
    files[0].fails[action] = number
    with pytest.raises(error) as caught:
        getattr(store, action)(0, filled(2))
    assert (caught.value.code, caught.value.path, caught.value.num_bytes) == (code, tmp_path / "state.bin", 8192)


def test_a_write_that_failed_never_leaves_old_state_that_looks_new(store_of):
    files = []

    def open_file(path):
        files.append(FakeFile(path))
        return files[-1]

    store = store_of(open_file)
    store.write(0, filled(1))
    files[0].fails["write"] = errno.EIO
    with pytest.raises(TransferError):
        store.write(0, filled(2))
    with pytest.raises(ChecksumError):
        store.read(0, filled(0))


def test_a_full_disk_is_found_before_training(tmp_path):
    with pytest.raises(DiskFullError) as caught:
        StateStore(plan_of(tmp_path), [tmp_path], lambda path: FakeFile(path, fails={"reserve": errno.ENOSPC}))
    assert caught.value.num_bytes == 4 * 8192


def test_a_truncated_file_is_an_error_not_zeros(store_of, tmp_path):
    store = store_of()
    store.write(3, filled(1))
    os.truncate(tmp_path / "state.bin", 3 * 8192 + 4096)
    with pytest.raises(TransferError) as caught:
        store.read(3, filled(0))
    assert (caught.value.code, caught.value.num_bytes) == ("read_short", 4096)


def test_a_flipped_bit_is_found(store_of, tmp_path):
    store = store_of()
    store.write(2, filled(1))
    with (tmp_path / "state.bin").open("r+b") as file:
        file.seek(2 * 8192 + 5000)
        file.write(b"\x03")
        file.flush()
        os.fsync(file.fileno())
    with pytest.raises(ChecksumError) as caught:
        store.read(2, filled(0))
    assert caught.value.path == tmp_path / "state.bin"


def test_a_device_that_asks_for_larger_blocks_is_refused(tmp_path):
    with pytest.raises(StorageError) as caught:
        StateStore(plan_of(tmp_path), [tmp_path], lambda path: FakeFile(path, alignment_bytes=65536))
    assert caught.value.code == "alignment_unsupported"


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no tmpfs at /dev/shm")
def test_memory_given_as_a_disk_is_recognised():
    assert inspect_filesystem(Path("/dev/shm")).is_ram


def test_a_second_owner_is_refused_and_told_who_owns(tmp_path):
    first = OwnedDirectory(tmp_path / "run")
    with pytest.raises(RunDirectoryError) as caught:
        OwnedDirectory(tmp_path / "run")
    assert caught.value.code == "run_dir_owned"
    assert str(os.getpid()) in str(caught.value)
    first.release()
    OwnedDirectory(tmp_path / "run").release()


def test_scratch_of_the_dead_is_reclaimed_and_of_the_living_kept(tmp_path):
    program = (
        "import os, sys; from pathlib import Path; from offload_core.storage.ownership import own_scratch;"
        "own_scratch(Path(sys.argv[1])); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    [dead] = list_scratch(tmp_path)
    living = own_scratch(tmp_path)
    assert list_scratch(tmp_path) == [living.path]
    assert not dead.exists()
    assert reclaim_scratch(tmp_path) == []
    living.release(remove=True)
    assert list_scratch(tmp_path) == []
