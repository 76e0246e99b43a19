"""The hand sheet: a plain-text record of an evening, read into statements."""
