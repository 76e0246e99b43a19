"""Measures: each module has `run()`, which gives rows of what was measured, the figure, and its aim."""
