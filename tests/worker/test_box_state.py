from pathlib import Path

import pytest

from worker.cgroup_memory import read_cgroup_memory
from worker.disks import filesystem_of, read_nvme_path
from worker.gpus import parse_gpus
from worker.host_ram import OomKills

MOUNTS = r"""
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw
30 27 0:27 / /dev/shm rw,relatime shared:3 - tmpfs tmpfs rw
31 27 259:1 / /mnt/fast\040disk rw,noatime master:1 propagate_from:2 - xfs /dev/nvme0n1 rw
32 31 0:40 / /mnt/fast\040disk/cache rw - tmpfs cache rw
33 32 259:2 / /mnt/fast\040disk/cache rw - btrfs /dev/nvme1n1 rw
""".strip()


@pytest.mark.parametrize(
    ("path", "filesystem"),
    [
        ("/home/someone", "ext4"),
        ("/dev/shm/state", "tmpfs"),
        ("/mnt/fast disk/state", "xfs"),
        ("/mnt/fast disk/cache", "btrfs"),
        ("/mnt/fast disk2", "ext4"),
    ],
)
def test_the_filesystem_is_that_of_the_nearest_and_latest_mount(path: str, filesystem: str) -> None:
    assert filesystem_of(Path(path), MOUNTS) == filesystem


def test_a_real_folder_is_told_with_its_room(tmp_path: Path) -> None:
    state = read_nvme_path(tmp_path)
    assert 0 < state.free_bytes <= state.total_bytes
    assert state.filesystem != "unknown"


def test_a_folder_whose_disk_is_gone_has_no_room(tmp_path: Path) -> None:
    state = read_nvme_path(tmp_path / "gone")
    assert (state.total_bytes, state.free_bytes) == (0, 0)
    assert state.filesystem == "unreachable: No such file or directory"


def test_gpus_are_parsed_and_a_broken_one_is_left_out() -> None:
    table = "GPU-1, NVIDIA H200, 143771\nGPU-2, NVIDIA H200, [N/A]\n"
    [gpu] = parse_gpus(table)
    assert (gpu.uuid, gpu.name, gpu.total_bytes) == ("GPU-1", "NVIDIA H200", 143771 * 2**20)


def write_files(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)


def test_the_tightest_limit_on_the_way_up_counts_in_version_2(tmp_path: Path) -> None:
    root, own = tmp_path / "cgroup", tmp_path / "own"
    own.write_text("0::/team/box\n")
    write_files(root, cgroup__controllers="memory")
    write_files(
        root / "team", memory__max="4000\n", memory__current="3000\n", memory__stat="anon 1\ninactive_file 500\n"
    )
    write_files(root / "team/box", memory__max="max\n", memory__current="3000\n", memory__events="oom 2\noom_kill 2\n")
    found = read_cgroup_memory(root, own)
    assert (found.limit_bytes, found.available_bytes, found.oom_kills) == (4000, 1500, 2)


def test_version_1_is_read_too_and_its_huge_number_is_no_limit(tmp_path: Path) -> None:
    root, own = tmp_path / "cgroup", tmp_path / "own"
    own.write_text("5:cpu:/\n4:memory:/box\n0::/\n")
    write_files(root / "memory", memory__limit_in_bytes="9223372036854771712\n", memory__usage_in_bytes="5\n")
    write_files(
        root / "memory/box", memory__limit_in_bytes="1000\n", memory__usage_in_bytes="900\n",
        memory__oom_control="oom_kill_disable 0\nunder_oom 0\noom_kill 1\n",
    )  # fmt: skip
    found = read_cgroup_memory(root, own)
    assert (found.limit_bytes, found.available_bytes, found.oom_kills) == (1000, 100, 1)


def test_no_cgroups_means_no_limit(tmp_path: Path) -> None:
    found = read_cgroup_memory(tmp_path, tmp_path / "absent")
    assert (found.limit_bytes, found.available_bytes, found.oom_kills) == (None, None, 0)


def test_oom_kills_are_counted_between_two_looks() -> None:
    assert OomKills(host=5, cgroup=1).since(OomKills(host=3, cgroup=1)) == 2
    assert OomKills(host=0, cgroup=0).since(OomKills(host=3, cgroup=1)) == 0
