"""What the agent learns when it ships a piece of a log."""

from contracts.base import Contract


class LogStored(Contract):
    size: int
    """Bytes stored; the next piece starts here."""
