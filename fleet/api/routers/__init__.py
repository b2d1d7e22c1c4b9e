"""One router a subject, all under /api/v1/w/<slug>/."""
