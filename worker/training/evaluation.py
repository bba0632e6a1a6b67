"""Loss on held-out rows, and answers to a few prompts."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import cast

import torch
from torch import Tensor
from torch.nn import functional
from transformers import GenerationMixin, PreTrainedModel, PreTrainedTokenizerBase

from worker.training.tokens import IGNORED_LABEL, render_prompt


def mean_token_loss(
    model: PreTrainedModel, batches: Iterable[dict[str, Tensor]], *, between_batches: Callable[[], None]
) -> float:
    """Cross entropy a label token over all batches, so that long answers count as much as they are long.

    `between_batches` is called before each and may raise to end the evaluation.
    """
    loss_sum = 0.0
    num_tokens = 0
    with _inference(model):
        for batch in batches:
            between_batches()
            labels = batch["labels"].to(model.device)[:, 1:]
            output = model(
                input_ids=batch["input_ids"].to(model.device), attention_mask=batch["attention_mask"].to(model.device)
            )
            is_counted = labels != IGNORED_LABEL
            # Only the counted positions in float32: for all of them the vocabulary makes it the largest tensor by far.
            logits = output.logits[:, :-1][is_counted].float()
            loss_sum += float(functional.cross_entropy(logits, labels[is_counted], reduction="sum"))
            num_tokens += int(is_counted.sum())
    return loss_sum / num_tokens


def answer(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompt: str, *, max_new_tokens: int) -> str:
    """What the model says to a prompt, greedily, so that before and after can be compared."""
    encoded = tokenizer(render_prompt(prompt, tokenizer), add_special_tokens=False, return_tensors="pt")
    encoded = encoded.to(model.device)
    with _inference(model):
        generated = cast("GenerationMixin", model).generate(
            input_ids=encoded["input_ids"],
            attention_mask=encoded["attention_mask"],
            max_new_tokens=max_new_tokens,
            do_sample=False,
            use_cache=True,
            pad_token_id=tokenizer.pad_token_id,
        )
    new_tokens = generated[0, encoded["input_ids"].shape[1] :]
    return str(tokenizer.decode(new_tokens, skip_special_tokens=True)).strip()


@contextmanager
def _inference(model: PreTrainedModel) -> Iterator[None]:
    was_training = model.training
    model.train(False)
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)
