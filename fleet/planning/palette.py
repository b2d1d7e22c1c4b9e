"""A scenario keeps one colour on every page and in every export: the token of its position."""

COLOURS = 8
DASHES = ("solid", "dash", "dot")


def scenario_colour(position: int) -> int:
    """The number of the colour token, 1 to 8, from the scenario's position."""
    return position % COLOURS + 1


def scenario_token(position: int) -> str:
    """The name of the colour token: "scenario-1"."""
    return f"scenario-{scenario_colour(position)}"


def scenario_dash(position: int) -> str:
    """Past eight scenarios colours repeat; the dash of the line tells them apart."""
    return DASHES[position // COLOURS % len(DASHES)]
