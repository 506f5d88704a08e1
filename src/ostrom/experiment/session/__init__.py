"""Sessions: a class or a study, described by one file. The modules of this package do no I/O except for reading files
and running the session."""
