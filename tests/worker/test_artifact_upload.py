"""The upload of one file can be given up in its middle: a shard of a large model takes minutes."""

from pathlib import Path

import pytest

from tests.worker.box import Box
from tests.worker.fake_api import TOKEN, FakeApi
from worker.artifact_upload import read_artifact, upload_artifact
from worker.control_plane import ControlPlane
from worker.reach import Reach


class GivenUpError(Exception):
    pass


def test_a_file_is_given_up_between_two_blocks_and_sent_again_later(box: Box, api: FakeApi, tmp_path: Path) -> None:
    artifact = tmp_path / "artifact"
    artifact.mkdir()
    (artifact / "model.safetensors").write_bytes(bytes(20 << 20))
    stored = box.grant()
    files = read_artifact(artifact, lambda: None)
    checks = 0

    def give_up_at_the_fifth_block() -> None:
        nonlocal checks
        checks += 1
        if checks > 5:
            raise GivenUpError

    with ControlPlane(api.url, TOKEN, Reach()) as plane:
        with pytest.raises(GivenUpError):
            upload_artifact(plane, stored.claim, artifact, files, give_up_at_the_fifth_block)
        assert stored.manifest is None
        upload_artifact(plane, stored.claim, artifact, files, lambda: None)
    assert stored.manifest is not None
    assert [len(content) for content in api.files.values()] == [20 << 20]
