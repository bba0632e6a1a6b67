"""GGUF in, safetensors out.

python -m worker.training.gguf_conversion FOLDER GGUF_NAME
"""

import sys
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils.logging import disable_progress_bar


def convert_gguf(folder: Path, gguf_name: str) -> None:
    """Write the model of a GGUF beside it in Hugging Face layout: float32 safetensors, tokenizer, generation config."""
    disable_progress_bar()  # type: ignore[no-untyped-call]
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=gguf_name)
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=gguf_name, dtype=torch.float32)
    config = model.config
    tokenizer.model_max_length = config.max_position_embeddings
    # A model loaded from GGUF counts as quantised for good and refuses to be saved: its weights go into a fresh one.
    del config.quantization_config
    with torch.device("meta"):
        plain = AutoModelForCausalLM.from_config(config)  # type: ignore[no-untyped-call]
    plain.load_state_dict(model.state_dict(), assign=True)
    plain.tie_weights()
    plain.generation_config = model.generation_config
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    convert_gguf(Path(sys.argv[1]), sys.argv[2])
