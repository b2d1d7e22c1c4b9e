"""What holds for every test of the web."""

import pytest


@pytest.fixture(autouse=True)
def _files_in_a_temporary_folder(settings, tmp_path) -> None:
    """Uploads and outcomes of a test never reach the checkout's own ``var/``."""
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.fixture(autouse=True)
def _cheap_passwords(settings) -> None:
    """The real hash is slow on purpose; tests make hundreds of users."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
