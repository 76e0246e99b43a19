"""The schema's history, run by Alembic on first use. No migration ever rebuilds `events`."""
