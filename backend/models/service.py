"""The model registry: names for folders and Hugging Face repositories."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from backend.authorization import Principal
from backend.db.identifiers import new_id
from backend.db.models import Model
from backend.db.session import Database
from backend.errors import ConflictError, NotFoundError
from backend.models import repository
from backend.models.inspect_folder import ModelFacts, inspect_folder
from backend.models.schemas import ModelRead, ModelRequest
from backend.schemas import Page
from contracts.attempts import LocalFolder, ModelSource

_SOURCE: TypeAdapter[ModelSource] = TypeAdapter(ModelSource)
_NAMES_IN_HINT = 10


def list_models(session: Session, principal: Principal, *, limit: int, cursor: str | None) -> Page[ModelRead]:
    rows = repository.page(session, principal.project_id, cursor, limit + 1)
    items = [_read(row) for row in rows[:limit]]
    return Page(items=items, next_cursor=items[-1].model_id if len(rows) > limit else None)


def read(session: Session, principal: Principal, model_id: str) -> ModelRead:
    row = repository.find(session, principal.project_id, model_id)
    if row is None:
        raise NotFoundError(what="model", identifier=model_id)
    return _read(row)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model on its way into the registry, with what was found in its folder."""

    request: ModelRequest
    facts: ModelFacts | None


def is_known(database: Database, principal: Principal, body: ModelRequest) -> bool:
    """Opens its own session: none is held while a folder is looked into."""
    with database.read() as session:
        return repository.find(session, principal.project_id, body.name) is not None


def look_into(body: ModelRequest, roots: tuple[Path, ...]) -> ModelFacts | None:
    """None: the box fetches it. Blocks for the disk. Raises ModelFolderError."""
    return inspect_folder(body.source.path, roots) if isinstance(body.source, LocalFolder) else None


def register(session: Session, principal: Principal, candidate: Candidate, *, now: datetime) -> tuple[ModelRead, bool]:
    """The model, and whether it is new. Raises ConflictError for a name in use."""
    body, facts = candidate.request, candidate.facts
    known = repository.find(session, principal.project_id, body.name)
    if known is not None:
        if source_of(known) != body.source:
            raise ConflictError(
                code="name_taken",
                title="The name is in use",
                detail=f"The model {body.name!r} is registered with another source: {known.source}",
                hint="Choose another name, or use the registered model.",
            )
        return _read(known), False
    row = Model(
        model_id=new_id("mdl"),
        project_id=principal.project_id,
        name=body.name,
        source=_SOURCE.dump_json(body.source).decode(),
        architecture=facts.architecture if facts else None,
        num_parameters=facts.num_parameters if facts else None,
        dtype=facts.dtype if facts else None,
        created_at=now,
        created_by=principal.name,
    )
    session.add(row)
    session.flush()
    return _read(row), True


def find(session: Session, project_id: str, id_or_name: str) -> Model | None:
    return repository.find(session, project_id, id_or_name)


def what_there_is(session: Session, project_id: str) -> str:
    """For a hint: the names one may use."""
    names = repository.names(session, project_id, _NAMES_IN_HINT)
    return f"Registered: {', '.join(names)}." if names else "No model is registered yet; POST /api/v1/models first."


def source_of(row: Model) -> ModelSource:
    return _SOURCE.validate_json(row.source)


def _read(row: Model) -> ModelRead:
    return ModelRead(
        model_id=row.model_id,
        project_id=row.project_id,
        name=row.name,
        source=source_of(row),
        architecture=row.architecture,
        num_parameters=row.num_parameters,
        dtype=row.dtype,
        created_at=row.created_at,
    )
