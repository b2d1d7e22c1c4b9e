"""The third opinion: a plain simulator that shares no code with ``twin``."""
