"""The command line: thin; parse, call, print. Imports late, so that a small command answers at once."""
