"""One evening: rules, people, table and counters; `decide`, `follow` and `project`."""
