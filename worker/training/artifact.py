"""The outcome: a folder that transformers loads without Spillway, and the record of how it came to be."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel, PreTrainedTokenizerBase

from contracts.events import PlanMade, SampleGenerated, When
from contracts.job import JobSpec

RECORD_FILE = "spillway.json"
_PACKAGES = ("spillway", "torch", "transformers", "trl", "numba", "numpy", "safetensors")


@dataclass(frozen=True, kw_only=True, slots=True)
class RunRecord:
    attempt_id: str
    spec: JobSpec
    plan: PlanMade
    samples: Sequence[SampleGenerated]
    result: Mapping[str, Any]
    """The fields of `training.finished`."""


def write_artifact(folder: Path, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, record: RunRecord) -> None:
    """Written aside and renamed: the folder is complete or not there. Blocks for the size of the weights on disk.

    An empty folder of that name gives way; one that holds something is an error (OSError).
    """
    aside = folder.with_name(f"{folder.name}.writing")
    if aside.exists():
        shutil.rmtree(aside)
    aside.mkdir(parents=True)
    try:
        model.save_pretrained(aside)
        tokenizer.save_pretrained(aside)
        (aside / RECORD_FILE).write_text(json.dumps(_as_json(record), indent=2) + "\n", encoding="utf-8")
        (aside / "README.md").write_text(_model_card(record), encoding="utf-8")
        aside.rename(folder)
    except BaseException:
        shutil.rmtree(aside)
        raise


def _as_json(record: RunRecord) -> dict[str, Any]:
    return {
        "format": 1,
        "attempt_id": record.attempt_id,
        "spec": record.spec.model_dump(mode="json"),
        "plan": record.plan.model_dump(mode="json", exclude={"seq", "kind"}),
        "result": {**record.result, "state_bytes": record.plan.state_bytes.model_dump()},
        "samples": [sample.model_dump(mode="json", exclude={"seq", "kind", "time"}) for sample in record.samples],
        "versions": {package: version(package) for package in _PACKAGES},
    }


def _model_card(record: RunRecord) -> str:
    spec, result = record.spec, record.result
    training = spec.training
    before = {sample.index: sample for sample in record.samples if sample.when is When.BEFORE}
    after = [sample for sample in record.samples if sample.when is When.AFTER]
    loss_before, loss_after = _figure(result["eval_loss_before"]), _figure(result["eval_loss_after"])
    samples = "\n\n".join(
        f"**{sample.prompt}**\n\nBefore: {before[sample.index].text}\n\nAfter: {sample.text}" for sample in after
    )
    return f"""---
library_name: transformers
tags: [spillway, {spec.recipe}]
---

# {spec.name}

Fine-tuned from `{spec.model}` on `{spec.dataset}` with Spillway (recipe `{spec.recipe}`, all parameters).

| | before | after |
| --- | --- | --- |
| loss on {record.plan.eval_rows} held-out rows | {loss_before} | {loss_after} |

{result["steps"]} steps of {training.batch_size * training.gradient_accumulation} rows of at most \
{training.sequence_length} tokens, learning rate {training.learning_rate:g} ({training.learning_rate_schedule}), \
{training.dtype}, seed {training.seed}. All settings, results and versions are in `{RECORD_FILE}`.

## The same questions before and after

{samples}
"""


def _figure(loss: float | None) -> str:
    return "not finite" if loss is None else f"{loss:.4f}"
