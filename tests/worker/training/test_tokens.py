"""Loss on the answer alone, whatever the chat template looks like."""

from pathlib import Path

import pytest
from transformers import AutoTokenizer

from contracts.dataset import InstructionRow
from tests.tiny_model import CHAT_TEMPLATE, make_tiny_model
from worker.training.errors import DatasetInvalidError, ModelUnsupportedError
from worker.training.recipes.sft import _padding_to_longest
from worker.training.tokens import IGNORED_LABEL, tokenize_row, tokenize_rows

ROW = InstructionRow(instruction="What is a bug?", input="Be short.", output="An unwanted property.")
WITH_SYSTEM = (
    "{% if messages[0]['role'] != 'system' %}<|im_start|>system\nYou help.<|im_end|>\n{% endif %}" + CHAT_TEMPLATE
)
WITH_GENERATION_MARKER = CHAT_TEMPLATE.replace(
    "{{ message['content'] }}", "{% generation %}{{ message['content'] }}{% endgeneration %}"
)
ANSWERS_OTHERWISE_THAN_PROMPTED = CHAT_TEMPLATE.replace("assistant\n", "model\n")


@pytest.fixture(params=[CHAT_TEMPLATE, WITH_SYSTEM, WITH_GENERATION_MARKER], ids=["chatml", "system", "marker"])
def tokenizer(request, tiny_model: Path):
    tokenizer = AutoTokenizer.from_pretrained(tiny_model)
    tokenizer.chat_template = request.param
    return tokenizer


def test_labels_are_exactly_the_answer_and_its_end_token(tokenizer) -> None:
    row = tokenize_row(ROW, tokenizer, sequence_length=500)
    assert row is not None
    learned = [token for token in row.labels if token != IGNORED_LABEL]
    assert tokenizer.decode(learned) == "An unwanted property.<|im_end|>"
    assert learned[-1] == tokenizer.eos_token_id
    assert row.labels == [IGNORED_LABEL] * (len(row.labels) - len(learned)) + learned
    assert row.input_ids[-len(learned) :] == learned


def test_the_masked_part_is_the_prompt_that_generation_starts_from(tokenizer) -> None:
    row = tokenize_row(ROW, tokenizer, sequence_length=500)
    assert row is not None
    masked = [token for token, label in zip(row.input_ids, row.labels, strict=True) if label == IGNORED_LABEL]
    prompted = tokenizer.apply_chat_template(
        [{"role": "user", "content": "What is a bug?\n\nBe short."}], add_generation_prompt=True, return_dict=True
    )
    assert masked == prompted["input_ids"]


def test_a_row_is_cut_at_the_end(tokenizer) -> None:
    whole = tokenize_row(ROW, tokenizer, sequence_length=500)
    assert whole is not None
    cut = tokenize_row(ROW, tokenizer, sequence_length=len(whole.input_ids) - 2)
    assert cut is not None
    assert (cut.input_ids, cut.labels) == (whole.input_ids[:-2], whole.labels[:-2])


def test_a_row_without_any_answer_left_is_dropped_and_all_of_them_is_an_error(tokenizer) -> None:
    assert tokenize_row(ROW, tokenizer, sequence_length=8) is None
    short = InstructionRow(instruction="a", output="b")
    enough = len(tokenize_row(short, tokenizer, sequence_length=500).input_ids)
    assert len(tokenize_rows([ROW, short], tokenizer, sequence_length=enough)) == 1
    with pytest.raises(DatasetInvalidError, match="sequence_length 8"):
        tokenize_rows([ROW, ROW], tokenizer, sequence_length=8)


def test_a_template_whose_answers_do_not_follow_its_prompt_is_refused(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path, chat_template=ANSWERS_OTHERWISE_THAN_PROMPTED)
    with pytest.raises(ModelUnsupportedError, match="chat template"):
        tokenize_row(ROW, AutoTokenizer.from_pretrained(folder), sequence_length=500)


def test_padding_is_masked_and_reaches_to_the_longest_row_only(tokenizer) -> None:
    rows = [
        tokenize_row(InstructionRow(instruction="a", output=output), tokenizer, sequence_length=500)
        for output in ("short", "a much longer answer than the other")
    ]
    batch = _padding_to_longest(tokenizer)([{"input_ids": row.input_ids, "labels": row.labels} for row in rows])
    longest, num_padded = len(rows[1].input_ids), len(rows[1].input_ids) - len(rows[0].input_ids)
    assert batch["input_ids"].shape == (2, longest)
    assert batch["labels"][0, -num_padded:].tolist() == [IGNORED_LABEL] * num_padded
    assert batch["labels"][0, -num_padded - 1] == tokenizer.eos_token_id
    assert batch["attention_mask"].sum(1).tolist() == [longest - num_padded, longest]
