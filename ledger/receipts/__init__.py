"""Receipts and checkpoints: what is kept outside the ledger, so that it can be held to what it said.

A chain proves nothing to one who does not hold it: whoever holds the file can build another. A receipt in a
player's pocket and a checkpoint signed with the host's key cannot be built anew.
"""
