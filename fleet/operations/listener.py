"""The web's address: a loopback socket that the supervisor opens and gunicorn inherits."""

from __future__ import annotations

import errno
import socket

HOST = "127.0.0.1"
FIRST_PORT = 8000
PORTS_TRIED = 100
BACKLOG = 128


HIGHEST_PORT = 65_535


class PortTaken(Exception):
    """The port that was asked for, or every port that may be chosen, cannot be listened on."""


def open_listener(asked: int | None) -> socket.socket:
    """Listen on the asked port, or on the first free one from 8000; ``PortTaken`` says what to do."""
    if asked is not None:
        if not 0 < asked <= HIGHEST_PORT:
            raise PortTaken(f"FLEET_PORT={asked} is no port; set it to a number from 1 to {HIGHEST_PORT}.")
        try:
            listener = listen(asked)
        except PermissionError as error:
            told = f"Port {asked} may not be opened by this user; set FLEET_PORT to one from 1024 on."
            raise PortTaken(told) from error
        if listener is None:
            raise PortTaken(f"Port {asked} is taken by another program; set FLEET_PORT to a free one.")
        return listener
    for port in range(FIRST_PORT, FIRST_PORT + PORTS_TRIED):
        if listener := listen(port):
            return listener
    raise PortTaken(f"Ports {FIRST_PORT}-{FIRST_PORT + PORTS_TRIED - 1} are all taken; set FLEET_PORT.")


def listen(port: int) -> socket.socket | None:
    """A listening socket, or None when the port is in use; PermissionError where it is not for this user."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            return None
        raise
    return listener


def ask_health(listener: socket.socket) -> socket.socket:
    """Send GET /healthz to the web process, which need not accept yet: the request waits in the backlog."""
    client = socket.create_connection(listener.getsockname())
    port = listener.getsockname()[1]
    client.sendall(f"GET /healthz HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
    client.setblocking(False)
    return client
