"""The first upload handler (FILE_UPLOAD_HANDLERS): a body over the limit is refused before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

MULTIPART_ROOM_BYTES = 1 << 20  # what a form may have beside the file


def body_too_large(content_length: int) -> bool:
    """Whether the declared length is over the limit; a server reads no more than that length."""
    return content_length > settings.UPLOAD_LIMIT_BYTES + MULTIPART_ROOM_BYTES


class LimitedUploadHandler(FileUploadHandler):
    """Looks at the declared length and leaves the rest to the next handler."""

    def handle_raw_input(
        self,
        input_data: Any,  # noqa: ARG002 - Django's signature
        META: Mapping[str, Any],  # noqa: ARG002
        content_length: int,
        boundary: str,  # noqa: ARG002
        encoding: str | None = None,  # noqa: ARG002
    ) -> None:
        if body_too_large(content_length):
            raise RequestDataTooBig("The upload is larger than this site takes.")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:  # noqa: ARG002
        return raw_data

    def file_complete(self, file_size: int) -> None:  # noqa: ARG002
        return None
