"""The machines jobs run on."""

from fastapi import APIRouter

from backend.boxes import service
from backend.boxes.schemas import BoxRead
from backend.dependencies import Now, Reader, ReadSession
from backend.schemas import Page

router = APIRouter(prefix="/boxes", tags=["boxes"])


@router.get("")
def list_boxes(principal: Reader, session: ReadSession, now: Now) -> Page[BoxRead]:
    """Every box that ever registered, by name."""
    return Page(items=service.list_boxes(session, now=now))
