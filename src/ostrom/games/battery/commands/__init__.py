"""The battery's commands. Asking needs no extra, scoring that of studies."""
