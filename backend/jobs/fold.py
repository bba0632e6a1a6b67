"""What an attempt's events mean for the columns of its job. Pure: changes the row it is given, nothing else."""

from backend.db.models import Job
from contracts.events import (
    AnyEvent,
    EvaluationCompleted,
    PhaseChanged,
    PlanMade,
    StepCompleted,
    TrainingFinished,
    When,
)


def fold_event(job: Job, event: AnyEvent) -> None:
    match event:
        case PhaseChanged():
            job.phase = event.phase
        case PlanMade():
            job.total_steps = event.total_steps
        case StepCompleted():
            job.step, job.last_loss = event.step, event.loss
        case EvaluationCompleted(when=When.BEFORE):
            job.eval_loss_before = event.loss
        case EvaluationCompleted(when=When.AFTER):
            job.eval_loss_after = event.loss
        case TrainingFinished():
            job.eval_loss_before, job.eval_loss_after = event.eval_loss_before, event.eval_loss_after
        case _:
            return


def forget_attempt(job: Job) -> None:
    """A new attempt starts over: nothing of the one before is shown as its own."""
    job.phase = job.step = job.total_steps = None
    job.last_loss = job.eval_loss_before = job.eval_loss_after = None
