"""The part of transformers' TrainingArguments that every recipe shares."""

from pathlib import Path
from typing import Any

from contracts.job import TrainingSpec

# transformers' plain "constant" ignores warm-up.
_SCHEDULES = {"constant": "constant_with_warmup", "linear": "linear", "cosine": "cosine"}


def common_arguments(training: TrainingSpec, output_folder: Path) -> dict[str, Any]:
    """Keyword arguments: the job's settings, and everything that would report, save or reach out turned off."""
    return {
        "output_dir": str(output_folder),
        "max_steps": training.max_steps or -1,
        "num_train_epochs": training.epochs,
        "per_device_train_batch_size": training.batch_size,
        "gradient_accumulation_steps": training.gradient_accumulation,
        "learning_rate": training.learning_rate,
        "lr_scheduler_type": _SCHEDULES[training.learning_rate_schedule],
        "warmup_steps": training.warmup_steps,
        "weight_decay": training.weight_decay,
        "max_grad_norm": training.max_grad_norm or 0.0,
        "activation_checkpointing": training.gradient_checkpointing,
        "seed": training.seed,
        "data_seed": training.seed,
        # The weights have the job's dtype themselves; autocast on top would keep a second copy.
        "bf16": False,
        "fp16": False,
        # The engine steps parameters in host memory; a GPU comes with its device tier.
        "use_cpu": True,
        "dataloader_pin_memory": False,
        "remove_unused_columns": False,
        "logging_strategy": "no",
        "eval_strategy": "no",
        "save_strategy": "no",
        "report_to": [],
        "disable_tqdm": True,
        "push_to_hub": False,
    }
