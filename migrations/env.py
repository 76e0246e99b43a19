"""Alembic's environment: runs on the connection that the store hands over, inside its transaction.

The store holds the write lock, commits, and puts the guards in place; nothing here opens a database.
"""

from alembic import context

from ledger.store.tables import VERSION_TABLE

connection = context.config.attributes["connection"]
# transactional_ddl: SQLite's DDL is transactional as long as the driver does not commit behind our back,
# and the store takes care of that; so a migration that is killed leaves nothing.
context.configure(
    connection=connection, version_table=VERSION_TABLE, transactional_ddl=True, target_metadata=None
)
with context.begin_transaction():
    context.run_migrations()
