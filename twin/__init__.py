"""Fleet Twin's simulator: pure Python, knows nothing of Django. See docs/model.md."""
