"""How the API says that something is wrong: always an ``ErrorOut``."""

from __future__ import annotations

from dataclasses import asdict

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import ValidationError as WrongRequest

from fleet.api.schemas import ErrorOut
from twin.problems import InvalidInput

READ_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 422: ErrorOut}
WRITE_ERRORS = READ_ERRORS | {409: ErrorOut, 413: ErrorOut}


def answer_errors(api: NinjaAPI) -> None:
    """Turn problems of the twin, services and requests into 422 with every problem, too much into 413."""

    @api.exception_handler(InvalidInput)
    def invalid_input(request: HttpRequest, error: InvalidInput) -> HttpResponse:
        problems = [asdict(problem) for problem in error.problems]
        return api.create_response(request, {"detail": str(error), "problems": problems}, status=422)

    @api.exception_handler(ValidationError)
    def refused(request: HttpRequest, error: ValidationError) -> HttpResponse:
        problems = [{"where": "", "what": message, "valid": ""} for message in error.messages]
        return api.create_response(
            request, {"detail": " ".join(error.messages), "problems": problems}, status=422
        )

    @api.exception_handler(RequestDataTooBig)
    def too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
        return api.create_response(request, {"detail": str(error), "problems": []}, status=413)

    @api.exception_handler(WrongRequest)
    def wrong_request(request: HttpRequest, error: WrongRequest) -> HttpResponse:
        problems = [
            {"where": ".".join(map(str, each["loc"])), "what": each["msg"], "valid": ""}
            for each in error.errors
        ]
        detail = "The request does not have the form that the API describes."
        return api.create_response(request, {"detail": detail, "problems": problems}, status=422)
