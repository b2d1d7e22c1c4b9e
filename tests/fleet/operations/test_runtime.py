"""What a checkout keeps for itself: key, sockets, word of the running supervisor."""

import stat

import pytest

from fleet import runtime


def test_a_checkout_keeps_its_own_secret_key_to_its_owner(tmp_path):
    key = runtime.secret_key(tmp_path / "var")
    assert len(key) >= 50
    assert key == runtime.secret_key(tmp_path / "var")
    assert key != runtime.secret_key(tmp_path / "other")
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600


def test_a_socket_lies_under_var_where_its_path_is_short_enough(tmp_path):
    assert runtime.socket_path(tmp_path, "b.sock") == tmp_path.resolve() / "run" / "b.sock"


def test_a_deep_checkout_gets_a_short_private_folder_of_its_own(tmp_path):
    deep, other = tmp_path / ("d" * 120) / "var", tmp_path / ("e" * 120) / "var"
    path = runtime.socket_path(deep, "broker.sock")
    assert len(str(path)) <= runtime.SOCKET_PATH_LIMIT
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path != runtime.socket_path(other, "broker.sock")
    path.parent.rmdir()
    runtime.socket_path(other, "broker.sock").parent.rmdir()


def test_a_folder_that_is_a_link_is_refused(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(PermissionError):
        runtime.private_folder(tmp_path / "link")


def test_only_the_launchs_own_children_know_its_token(tmp_path, monkeypatch):
    (tmp_path / "run").mkdir()
    runtime.write_launch(tmp_path, runtime.Launch(1, "http://127.0.0.1:8000", "secret", {}))
    monkeypatch.delenv(runtime.LAUNCH_TOKEN, raising=False)
    assert not runtime.launched_by_up(tmp_path)
    monkeypatch.setenv(runtime.LAUNCH_TOKEN, "1")
    assert not runtime.launched_by_up(tmp_path)
    monkeypatch.setenv(runtime.LAUNCH_TOKEN, "secret")
    assert runtime.launched_by_up(tmp_path)
    assert not runtime.launched_by_up(tmp_path / "elsewhere")
