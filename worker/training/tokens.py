"""Rows as the model sees them: the chat template applied, and labels on the answer alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from contracts.dataset import InstructionRow
from worker.training.errors import DatasetInvalidError, ModelUnsupportedError

IGNORED_LABEL = -100
"""What torch's cross entropy leaves out."""


class ChatTokenizer(Protocol):
    """The part of a transformers tokenizer used here."""

    def apply_chat_template(
        self, conversation: list[dict[str, str]], *, add_generation_prompt: bool, tokenize: bool
    ) -> Any: ...

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]: ...


@dataclass(frozen=True, kw_only=True, slots=True)
class TokenizedRow:
    input_ids: list[int]
    labels: list[int]


def render_prompt(prompt: str, tokenizer: ChatTokenizer) -> str:
    """The text a model answers to, up to and including the opening of its own turn."""
    return str(
        tokenizer.apply_chat_template([{"role": "user", "content": prompt}], add_generation_prompt=True, tokenize=False)
    )


def tokenize_row(row: InstructionRow, tokenizer: ChatTokenizer, *, sequence_length: int) -> TokenizedRow | None:
    """Prompt and answer, cut at `sequence_length`; None when nothing of the answer is left.

    Prompt and answer are encoded apart, so that the prompt's tokens are those of generation and no token straddles
    the border. Raises ModelUnsupportedError when the template does not continue its own prompt.
    """
    prompt = render_prompt(row.prompt, tokenizer)
    turns = [{"role": "user", "content": row.prompt}, {"role": "assistant", "content": row.output}]
    conversation = str(tokenizer.apply_chat_template(turns, add_generation_prompt=False, tokenize=False))
    if not conversation.startswith(prompt):
        raise ModelUnsupportedError(
            "The model's chat template renders an answer differently from the prompt it would be generated after, so "
            "the answer's tokens cannot be told from the question's. Use a model with another chat template."
        )
    prompt_ids = tokenizer.encode(prompt, add_special_tokens=False)
    # What templates write after the end-of-turn token (a newline) is never generated, so it is not learned either.
    answer_ids = tokenizer.encode(conversation[len(prompt) :].rstrip(), add_special_tokens=False)
    input_ids = (prompt_ids + answer_ids)[:sequence_length]
    labels = ([IGNORED_LABEL] * len(prompt_ids) + answer_ids)[:sequence_length]
    if len(input_ids) <= len(prompt_ids):
        return None
    return TokenizedRow(input_ids=input_ids, labels=labels)


def tokenize_rows(
    rows: Sequence[InstructionRow], tokenizer: ChatTokenizer, *, sequence_length: int
) -> list[TokenizedRow]:
    """All rows that keep some answer. Raises DatasetInvalidError when none does."""
    tokenized = (tokenize_row(row, tokenizer, sequence_length=sequence_length) for row in rows)
    kept = [row for row in tokenized if row is not None]
    if not kept:
        raise DatasetInvalidError(
            f"No row of {len(rows)} keeps any of its answer within sequence_length {sequence_length}: the questions "
            "alone are longer. Raise training.sequence_length."
        )
    return kept
