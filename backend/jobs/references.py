"""What a job spec names: the model and the dataset behind it."""

from sqlalchemy.orm import Session

from backend.datasets import service as datasets
from backend.db.models import Dataset, Model
from backend.errors import InvalidRequestError
from backend.models import service as models
from contracts.job import JobSpec
from contracts.problem import ProblemItem


class UnknownReferenceError(InvalidRequestError):
    def __init__(self, errors: list[ProblemItem]) -> None:
        super().__init__(
            code=errors[0].code,
            title="The job names something that is not there",
            detail=" ".join(item.message for item in errors),
            hint=errors[0].hint,
            errors=errors,
        )


def resolve(session: Session, project_id: str, spec: JobSpec) -> tuple[Model, Dataset]:
    """Raises UnknownReferenceError that names every reference which leads nowhere, and what there is instead."""
    model = models.find(session, project_id, spec.model)
    dataset = datasets.find(session, project_id, spec.dataset)
    errors = []
    if model is None:
        errors.append(
            ProblemItem(
                pointer="/model",
                code="unknown_model",
                message=f"There is no model {spec.model!r}.",
                hint=models.what_there_is(session, project_id),
            )
        )
    if dataset is None:
        errors.append(
            ProblemItem(
                pointer="/dataset",
                code="unknown_dataset",
                message=f"There is no dataset {spec.dataset!r}.",
                hint=datasets.what_there_is(session, project_id),
            )
        )
    if model is None or dataset is None:
        raise UnknownReferenceError(errors)
    return model, dataset
