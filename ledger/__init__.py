"""The ledger: events in, state out. Imports nothing from analytics or cli."""
