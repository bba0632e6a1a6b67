"""What is on the wire today must be read tomorrow: each shape is pinned, byte for byte.

`python -m pytest tests/contracts --write-golden` writes the files anew; review the difference as a change of protocol.
"""

import json
from pathlib import Path

import pytest

from contracts import attempts, dataset, events, job, problem, spool
from contracts.base import Contract
from contracts.wire import MAX_STEP_EVENT_BYTES
from tests.contracts.examples import EXAMPLES

GOLDEN = Path(__file__).parent / "golden"


def as_text(contract: Contract) -> str:
    return json.dumps(contract.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n"


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_shape_on_the_wire_is_the_pinned_one(name: str, request: pytest.FixtureRequest) -> None:
    file = GOLDEN / f"{name}.json"
    if request.config.getoption("--write-golden"):
        file.write_text(as_text(EXAMPLES[name]), encoding="utf-8")
    assert as_text(EXAMPLES[name]) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_pinned_shape_reads_back_to_the_same_value(name: str) -> None:
    text = (GOLDEN / f"{name}.json").read_bytes()
    assert type(EXAMPLES[name]).model_validate_json(text) == EXAMPLES[name]


def test_no_golden_file_is_left_without_an_example() -> None:
    assert {file.stem for file in GOLDEN.glob("*.json")} == set(EXAMPLES)


def test_every_event_kind_has_an_example() -> None:
    kinds = {example.kind for example in EXAMPLES.values() if isinstance(example, events.AnyEvent)}
    assert kinds == {variant.model_fields["kind"].default for variant in events.AnyEvent.__args__}


def test_every_contract_is_in_some_example() -> None:
    seen: set[type[Contract]] = set()

    def visit(value: object) -> None:
        if isinstance(value, Contract):
            seen.add(type(value))
            for field in type(value).model_fields:
                visit(getattr(value, field))
        elif isinstance(value, list):
            for item in value:
                visit(item)

    visit(list(EXAMPLES.values()))
    defined = {
        member
        for module in (attempts, dataset, events, job, problem, spool)
        for member in vars(module).values()
        if isinstance(member, type) and issubclass(member, Contract) and member.__module__ == module.__name__
    }
    assert {kind.__name__ for kind in defined - seen} == {"_Event"}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_unknown_field_is_refused(name: str) -> None:
    raw = json.loads((GOLDEN / f"{name}.json").read_bytes()) | {"no_such_field": 1}
    with pytest.raises(ValueError, match="no_such_field"):
        type(EXAMPLES[name]).model_validate(raw)


def test_events_are_told_apart_by_kind_alone() -> None:
    for example in EXAMPLES.values():
        if isinstance(example, events.AnyEvent):
            assert type(events.EVENT.validate_json(example.model_dump_json())) is type(example)


def test_a_step_event_with_the_widest_numbers_stays_under_its_limit() -> None:
    wide, precise = 2**53, 1.2345678901234567e-300
    tiers = events.TierBytes(device=wide, host=wide, nvme=wide)
    step = EXAMPLES["step_completed"]
    assert isinstance(step, events.StepCompleted)
    widest = step.model_copy(
        update={
            "seq": wide, "step": wide, "loss": precise, "learning_rate": precise, "grad_norm": precise,
            "step_seconds": precise, "tokens": wide, "tokens_per_second": precise, "overlap_share": precise,
            "stall_seconds": events.StallSeconds(nvme_read=precise, nvme_write=precise, update=precise),
            "read_bytes": wide, "written_bytes": wide, "occupancy_bytes": tiers, "rss_bytes": wide,
        }
    )  # fmt: skip
    assert len(widest.model_dump_json().encode()) < MAX_STEP_EVENT_BYTES
