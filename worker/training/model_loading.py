"""Model and tokenizer from a folder in Hugging Face layout, or from a Hugging Face id with a revision."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch
from safetensors import SafetensorError
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING

from worker.training.errors import ModelMissingError, ModelUnsupportedError

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True, kw_only=True, slots=True)
class LoadedModel:
    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase


def load_model(path: str, revision: str | None, dtype: Literal["float32", "bfloat16"]) -> LoadedModel:
    """The model, ready to train, in host memory.

    Reaches for the network only when a revision is given. Pickled weights and code from the model's folder are never
    loaded. Raises ModelMissingError, or ModelUnsupportedError when it is no causal language model in safetensors with
    a chat template.
    """
    if revision is None:
        _check_folder(Path(path))
    try:
        config = AutoConfig.from_pretrained(path, revision=revision, trust_remote_code=False)
        if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING:
            raise ModelUnsupportedError(
                f"The model at {path} is of type {config.model_type}, which is no causal language model. "
                "Use one that generates text, such as Llama, Qwen or SmolLM."
            )
        tokenizer = AutoTokenizer.from_pretrained(path, revision=revision, trust_remote_code=False)
        # What is typed is the call without the report.
        loaded: Any = AutoModelForCausalLM.from_pretrained(
            path,
            revision=revision,
            trust_remote_code=False,
            use_safetensors=True,
            dtype=_DTYPES[dtype],
            output_loading_info=True,
        )
    except SafetensorError as error:
        raise ModelUnsupportedError(
            f"The safetensors of {path} are damaged ({error}). Copy or download the model again."
        ) from error
    except OSError as error:
        raise ModelMissingError(
            f"The model {path} could not be loaded: {_first_line(error)}. "
            "Check the folder or the id, and that it can be reached."
        ) from error
    except ValueError as error:
        raise ModelUnsupportedError(f"The model {path} cannot be used: {_first_line(error)}.") from error
    model, report = loaded
    if missing := sorted(report["missing_keys"]):
        # transformers would go on with random numbers in their place.
        raise ModelUnsupportedError(
            f"{len(missing)} weights are missing from {path}, such as {missing[0]}. Copy or download the model again."
        )
    _check_tokenizer(path, tokenizer)
    return LoadedModel(model=model, tokenizer=tokenizer)


def _first_line(error: Exception) -> str:
    # The libraries' further lines are about their own offline modes and arguments.
    return str(error).strip().partition("\n")[0].removesuffix(".")


def _check_folder(folder: Path) -> None:
    if not (folder / "config.json").is_file():
        raise ModelMissingError(
            f"There is no model at {folder}: config.json is missing. Name a folder in Hugging Face layout."
        )
    if not any(folder.glob("*.safetensors")):
        others = sorted(path.name for path in folder.iterdir() if path.suffix in {".bin", ".pt", ".gguf", ".pth"})
        found = f" (there is {', '.join(others[:3])})" if others else ""
        raise ModelUnsupportedError(
            f"The model at {folder} has no safetensors{found}. Pickled weights can run any code and are refused: "
            "convert them with save_pretrained on a machine where you trust them."
        )


def _check_tokenizer(path: str, tokenizer: PreTrainedTokenizerBase) -> None:
    if not tokenizer.chat_template:
        raise ModelUnsupportedError(
            f"The model {path} has no chat template, so a question and its answer cannot be told apart for it. "
            "Use an instruction-tuned model, or add chat_template.jinja to its folder."
        )
    if tokenizer.pad_token_id is None:
        if tokenizer.eos_token_id is None:
            raise ModelUnsupportedError(f"The tokenizer of {path} has neither a padding nor an end token.")
        tokenizer.pad_token = tokenizer.eos_token
