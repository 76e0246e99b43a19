"""Fact tables and reports over the ledger. Imports ledger; nothing imports it but cli."""
