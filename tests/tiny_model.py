"""A seeded 4-layer Llama with a small tokenizer, so that a whole training run takes seconds."""

# ruff: noqa: PLC0415  torch takes seconds to import; only a test that makes a model pays for it
import json
from pathlib import Path
from typing import Any

CHAT_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""ChatML, as SmolLM2 and many others have it; it has no generation marker, which is the hard case for loss masks."""

_TEXT = [
    "What does the hacker term mean? It is a word that hackers use for the machine, the program and the people.",
    "user assistant system: The quick brown fox jumps over the lazy dog, 0123456789 times.",
    "A kluge is a clever trick that works for the wrong reason. A bug is an unwanted property of a program.",
]


def make_tiny_model(
    folder: Path,
    *,
    seed: int = 0,
    hidden_size: int = 96,
    chat_template: str = CHAT_TEMPLATE,
    tie_word_embeddings: bool = True,
) -> Path:
    """Write the model in Hugging Face layout (safetensors) below `folder` and return the folder."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _make_tokenizer(chat_template)
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden_size,
        intermediate_size=hidden_size * 2,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=256,
        tie_word_embeddings=tie_word_embeddings,
        bos_token_id=tokenizer.convert_tokens_to_ids("<|im_start|>"),
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    folder.mkdir(parents=True, exist_ok=True)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def write_tiny_dataset(path: Path, *, rows: int = 40) -> Path:
    """Instruction rows whose answers follow a pattern, so that a few steps already lower the loss."""
    lines = [
        json.dumps({"instruction": f"What does term {i} mean?", "output": f"A bug is an unwanted property, {i % 7}."})
        for i in range(rows)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _make_tokenizer(chat_template: str) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        _TEXT,
        trainers.BpeTrainer(
            vocab_size=400,
            special_tokens=special,
            initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=chat_template,
        model_max_length=256,
    )
