"""Everything a first job needs"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ROW_NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TIME = sa.DateTime(timezone=True)
_LIVE = sa.text("ended_at IS NULL")
_HELD = sa.text("released_at IS NULL")
_STEPS = sa.text("step IS NOT NULL")
_MILESTONES = sa.text("kind <> 'step.completed'")


def upgrade() -> None:
    op.create_table(
        "boxes",
        sa.Column("box_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("registered_at", _TIME, nullable=False),
        sa.Column("seen_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("box_id", name="pk_boxes"),
        sa.UniqueConstraint("name", name="uq_boxes_name"),
    )
    op.create_table(
        "idempotency_keys",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("actor_id", sa.String(length=40), nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("body_sha256", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("project_id", "actor_id", "key", name="pk_idempotency_keys"),
    )
    op.create_table(
        "loops",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("holder", sa.String(length=40), nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_loops"),
    )
    op.create_table(
        "outbox",
        sa.Column("outbox_id", _ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("queue", sa.String(length=200), nullable=False),
        sa.Column("attempt_id", sa.String(length=40), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.PrimaryKeyConstraint("outbox_id", name="pk_outbox"),
    )
    op.create_table(
        "projects",
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("pruned_event_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("project_id", name="pk_projects"),
    )
    op.create_table(
        "datasets",
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("num_bytes", sa.BigInteger(), nullable=False),
        sa.Column("num_rows", sa.BigInteger(), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("created_by", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_datasets_project_id"),
        sa.PrimaryKeyConstraint("dataset_id", name="pk_datasets"),
        sa.UniqueConstraint("project_id", "sha256", name="uq_datasets_project_id_sha256"),
    )
    op.create_index("ix_datasets_project_id_name", "datasets", ["project_id", "name"])

    op.create_table(
        "models",
        sa.Column("model_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("architecture", sa.String(length=200), nullable=True),
        sa.Column("num_parameters", sa.BigInteger(), nullable=True),
        sa.Column("dtype", sa.String(length=20), nullable=True),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("created_by", sa.String(length=200), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_models_project_id"),
        sa.PrimaryKeyConstraint("model_id", name="pk_models"),
        sa.UniqueConstraint("project_id", "name", name="uq_models_project_id_name"),
    )
    op.create_table(
        "users",
        sa.Column("user_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("username", sa.String(length=100), nullable=False),
        sa.Column("password_hash", sa.String(length=300), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_users_project_id"),
        sa.PrimaryKeyConstraint("user_id", name="pk_users"),
        sa.UniqueConstraint("username", name="uq_users_username"),
    )
    op.create_table(
        "api_tokens",
        sa.Column("token_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("user_id", sa.String(length=40), nullable=True),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("role", sa.String(length=40), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=True),
        sa.Column("last_used_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_api_tokens_project_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name="fk_api_tokens_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_id", name="pk_api_tokens"),
        sa.UniqueConstraint("token_hash", name="uq_api_tokens_token_hash"),
    )
    op.create_table(
        "browser_sessions",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.String(length=40), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.user_id"], name="fk_browser_sessions_user_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_browser_sessions"),
    )
    op.create_index("ix_browser_sessions_user_id", "browser_sessions", ["user_id"])

    op.create_table(
        "jobs",
        sa.Column("job_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("model_id", sa.String(length=40), nullable=False),
        sa.Column("dataset_id", sa.String(length=40), nullable=False),
        sa.Column("created_by", sa.String(length=200), nullable=False),
        sa.Column("created_at", _TIME, nullable=False),
        sa.Column("started_at", _TIME, nullable=True),
        sa.Column("finished_at", _TIME, nullable=True),
        sa.Column("cancel_requested_at", _TIME, nullable=True),
        sa.Column("num_lost", sa.Integer(), nullable=False),
        sa.Column("pruned_event_id", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("has_all_steps", sa.Boolean(), server_default=sa.true(), nullable=False),
        sa.Column("attempt_number", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.String(length=40), nullable=True),
        sa.Column("phase", sa.String(length=40), nullable=True),
        sa.Column("step", sa.BigInteger(), nullable=True),
        sa.Column("total_steps", sa.BigInteger(), nullable=True),
        sa.Column("last_loss", sa.Double(), nullable=True),
        sa.Column("eval_loss_before", sa.Double(), nullable=True),
        sa.Column("eval_loss_after", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(["dataset_id"], ["datasets.dataset_id"], name="fk_jobs_dataset_id"),
        sa.ForeignKeyConstraint(["model_id"], ["models.model_id"], name="fk_jobs_model_id"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_jobs_project_id"),
        sa.PrimaryKeyConstraint("job_id", name="pk_jobs"),
    )
    op.create_index("ix_jobs_project_id_job_id", "jobs", ["project_id", "job_id"])
    op.create_index("ix_jobs_state", "jobs", ["state"])

    op.create_table(
        "attempts",
        sa.Column("attempt_id", sa.String(length=40), nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("job_id", sa.String(length=40), nullable=False),
        sa.Column("box_id", sa.String(length=40), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("fence", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=40), nullable=False),
        sa.Column("granted_at", _TIME, nullable=False),
        sa.Column("claimed_at", _TIME, nullable=True),
        sa.Column("started_at", _TIME, nullable=True),
        sa.Column("ended_at", _TIME, nullable=True),
        sa.Column("shim", sa.Text(), nullable=True),
        sa.Column("training", sa.Text(), nullable=True),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        sa.Column("signal", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("last_seq", sa.BigInteger(), nullable=False),
        sa.Column("manifest_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(["box_id"], ["boxes.box_id"], name="fk_attempts_box_id"),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.job_id"], name="fk_attempts_job_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["project_id"], ["projects.project_id"], name="fk_attempts_project_id"),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_attempts"),
        sa.UniqueConstraint("job_id", "number", name="uq_attempts_job_id_number"),
    )
    op.create_index("ix_attempts_box_id", "attempts", ["box_id"])
    op.create_index(
        "uq_attempts_one_live_a_job", "attempts", ["job_id"], unique=True, sqlite_where=_LIVE, postgresql_where=_LIVE
    )

    op.create_table(
        "job_moves",
        sa.Column("move_id", _ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("job_id", sa.String(length=40), nullable=False),
        sa.Column("time", _TIME, nullable=False),
        sa.Column("actor", sa.String(length=200), nullable=False),
        sa.Column("from_state", sa.String(length=40), nullable=True),
        sa.Column("to_state", sa.String(length=40), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("message", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.job_id"], name="fk_job_moves_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("move_id", name="pk_job_moves"),
    )
    op.create_index("ix_job_moves_job_id", "job_moves", ["job_id"])

    op.create_table(
        "artifact_files",
        sa.Column("attempt_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("num_bytes", sa.BigInteger(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.attempt_id"], name="fk_artifact_files_attempt_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "name", name="pk_artifact_files"),
    )
    op.create_table(
        "events",
        sa.Column("event_id", _ROW_NUMBER, autoincrement=True, nullable=False),
        sa.Column("project_id", sa.String(length=40), nullable=False),
        sa.Column("job_id", sa.String(length=40), nullable=False),
        sa.Column("attempt_id", sa.String(length=40), nullable=True),
        sa.Column("seq", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("step", sa.BigInteger(), nullable=True),
        sa.Column("time", _TIME, nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.attempt_id"], name="fk_events_attempt_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["job_id"], ["jobs.job_id"], name="fk_events_job_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("event_id", name="pk_events"),
        sa.UniqueConstraint("attempt_id", "seq", name="uq_events_attempt_id_seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_job_id_event_id", "events", ["job_id", "event_id"])
    op.create_index(
        "ix_events_milestones", "events", ["attempt_id", "kind"], sqlite_where=_MILESTONES, postgresql_where=_MILESTONES
    )
    op.create_index("ix_events_project_id_event_id", "events", ["project_id", "event_id"])
    op.create_index("ix_events_steps", "events", ["attempt_id", "step"], sqlite_where=_STEPS, postgresql_where=_STEPS)

    op.create_table(
        "leases",
        sa.Column("attempt_id", sa.String(length=40), nullable=False),
        sa.Column("box_id", sa.String(length=40), nullable=False),
        sa.Column("host_bytes", sa.BigInteger(), nullable=False),
        sa.Column("nvme_bytes", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", _TIME, nullable=False),
        sa.Column("released_at", _TIME, nullable=True),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.attempt_id"], name="fk_leases_attempt_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["box_id"], ["boxes.box_id"], name="fk_leases_box_id"),
        sa.PrimaryKeyConstraint("attempt_id", name="pk_leases"),
    )
    op.create_index(
        "uq_leases_one_live_a_box", "leases", ["box_id"], unique=True, sqlite_where=_HELD, postgresql_where=_HELD
    )

    op.create_table(
        "metric_buckets",
        sa.Column("attempt_id", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("level", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("bucket", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("min", sa.Double(), nullable=True),
        sa.Column("max", sa.Double(), nullable=True),
        sa.Column("last", sa.Double(), nullable=True),
        sa.Column("last_step", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("nan_count", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempts.attempt_id"], name="fk_metric_buckets_attempt_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("attempt_id", "name", "level", "bucket", name="pk_metric_buckets"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("metric_buckets")
    op.drop_table("leases")
    op.drop_table("events")
    op.drop_table("artifact_files")
    op.drop_table("job_moves")
    op.drop_table("attempts")
    op.drop_table("jobs")
    op.drop_table("browser_sessions")
    op.drop_table("api_tokens")
    op.drop_table("users")
    op.drop_table("models")
    op.drop_table("datasets")
    op.drop_table("projects")
    op.drop_table("outbox")
    op.drop_table("loops")
    op.drop_table("idempotency_keys")
    op.drop_table("boxes")
