"""The battery's commands. Asking subjects needs no optional dependency; scoring them needs the extra `studies`."""
