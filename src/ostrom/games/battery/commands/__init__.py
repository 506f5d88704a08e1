"""The battery's commands. Subjects can be asked without any optional dependency. Scoring them needs the extra
`studies`."""
