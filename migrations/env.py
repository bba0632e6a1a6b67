"""Alembic's environment. The connection, with its transaction, comes from backend.db.migrate."""

from alembic import context

from backend.db.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    compare_type=True,
    # SQLite alters a table by rebuilding it.
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
