"""Settings from environment variables; a malformed one stops the start with a sentence."""

import os

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str = "") -> str:
    """The variable's text, or the default where it is not set."""
    return os.environ.get(name, default)


def flag(name: str, *, default: bool = False) -> bool:
    """A yes/no variable."""
    value = os.environ.get(name, "").strip().lower()
    if name not in os.environ:
        return default
    if value in TRUE | FALSE:
        return value in TRUE
    raise ImproperlyConfigured(f"{name}={value!r} is neither yes nor no; use 1 or 0.")


def whole_number(name: str, default: int) -> int:
    """A whole-number variable."""
    value = os.environ.get(name, "")
    try:
        return int(value) if value else default
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}={value!r} is not a whole number.") from error


def words(name: str, default: str = "") -> list[str]:
    """A comma-separated list."""
    return [word.strip() for word in text(name, default).split(",") if word.strip()]
