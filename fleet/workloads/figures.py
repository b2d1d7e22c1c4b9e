"""The figures of a profile, as the chart module draws them (frontend/js/charts/index.js)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Figure = dict[str, Any]
Profile = Mapping[str, Any]

JOBS_FOR_A_CURVE = 20
WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
STATE_COLOURS = {
    "completed": "account-productive-completed",
    "cancelled": "account-productive-cancelled",
    "failed": "account-productive-failed",
    "timed out": "account-productive-timed-out",
    "running": "scenario-6",
    "unknown": "account-idle-no-demand",
}


def profile_figures(profile: Profile, cluster_name: str = "", capacity_gpus: int = 0) -> dict[str, Figure]:
    """Every figure by its name. With a capacity the offered load is held against it."""
    figures = {
        "offered-load": _offered_load(profile, cluster_name, capacity_gpus),
        "jobs-by-day": _by_day(profile, "jobs", "Jobs submitted", "jobs", "scenario-1"),
        "gpu-hours-by-day": _by_day(profile, "gpu_hours", "GPU-hours submitted", "GPU-h", "scenario-3"),
        "jobs-by-hour": _week(profile, "jobs", "Jobs by hour and weekday", "jobs"),
        "gpu-hours-by-hour": _week(profile, "gpu_hours", "GPU-hours by hour and weekday", "GPU-h"),
        "sizes": _sizes(profile),
        "run-times": _run_times(profile),
        "states": _states(profile),
    }
    return {name: figure for name, figure in figures.items() if figure is not None}


def zone_told(profile: Profile) -> str:
    """The time zone for an axis."""
    zone = profile["time_zone"]
    return "zone not stated" if zone == "not stated" else str(zone)


def _offered_load(profile: Profile, cluster_name: str, capacity_gpus: int) -> Figure | None:
    points = profile["load"]
    if not points:
        return None
    dated = points[0]["time"] is not None
    x = [point["time"] if dated else point["hours_from_start"] for point in points]
    wanted = [round(point["gpus_wanted"], 3) for point in points]
    bin_told = f"{profile['load_bin_hours']:g} h"
    figure: Figure = {
        "kind": "steps",
        "title": "GPUs wanted if no job waited" + (f", against {cluster_name}" if capacity_gpus else ""),
        "note": f"Mean of each {bin_told}.",
        "x": {"title": "time", "unit": zone_told(profile), "type": "date"}
        if dated
        else {"title": "time from start", "unit": "h"},
        "y": {"title": "GPUs", "unit": "GPUs"},
        "series": [{"name": "GPUs wanted", "x": x, "y": wanted, "color": "scenario-1", "fill": True}],
    }
    if capacity_gpus:
        over = sum(gpus > capacity_gpus for gpus in wanted) / len(wanted)
        mean = profile["mean_offered_gpus"]
        figure["capacity"] = capacity_gpus
        figure["note"] += (
            f" The work submitted is {mean:,.1f} GPUs in the mean, {mean / capacity_gpus:.1%} of capacity;"
            f" more than capacity is wanted {over:.0%} of the time."
        )
    return figure


def _by_day(profile: Profile, key: str, title: str, unit: str, colour: str) -> Figure | None:
    portions = profile["arrivals_per_day"]
    if not portions:
        return None
    days = profile["days_per_arrival_point"]
    dated = bool(profile["by_hour"])
    every = "day" if days == 1 else f"{days} days"
    return {
        "kind": "bars",
        "title": f"{title} each {every}",
        "x": {"title": "day", "unit": zone_told(profile), "type": "date"}
        if dated
        else {"title": "day", "type": "category"},
        "y": {"title": unit, "unit": unit},
        "series": [
            {"name": title, "x": _names(portions), "y": [round(p[key], 3) for p in portions], "color": colour}
        ],
        "height": 260,
    }


def _week(profile: Profile, key: str, title: str, unit: str) -> Figure | None:
    table = profile.get("week")
    if not table:
        return None
    return {
        "kind": "heat",
        "title": title,
        "x": {"title": "hour of the day", "unit": zone_told(profile)},
        "y": {"title": "", "type": "category"},
        "z": {"title": unit, "unit": unit},
        "series": [{"name": unit, "x": list(range(24)), "y": WEEKDAYS, "z": table[key]}],
        "height": 280,
    }


def _sizes(profile: Profile) -> Figure | None:
    portions = profile["gpu_sizes"]
    jobs, gpu_hours = profile["jobs"], profile["gpu_hours"]
    if not portions or not gpu_hours:
        return None
    return {
        "kind": "bars",
        "title": "Jobs and GPU-hours by GPU size",
        "x": {"title": "GPUs a job asks for", "type": "category"},
        "y": {"title": "share", "unit": "%"},
        "series": [
            _shares("jobs", portions, "jobs", jobs, "scenario-1"),
            _shares("GPU-hours", portions, "gpu_hours", gpu_hours, "scenario-3"),
        ],
    }


def _shares(
    name: str, portions: list[Mapping[str, Any]], key: str, total: float, colour: str
) -> dict[str, Any]:
    shares = [round(100 * portion[key] / total, 3) for portion in portions]
    return {"name": name, "x": _names(portions), "y": shares, "color": colour}


def _names(portions: list[Mapping[str, Any]]) -> list[str]:
    return [portion["name"] for portion in portions]


def _run_times(profile: Profile) -> Figure | None:
    curves = [curve for curve in profile["run_time_curves"] if curve["jobs"] >= JOBS_FOR_A_CURVE]
    if not curves:
        return None
    left_out = len(profile["run_time_curves"]) - len(curves)
    return {
        "kind": "lines",
        "title": "Run time by GPU size",
        "x": {"title": "run time at most", "unit": "h", "type": "log"},
        "y": {"title": "share of jobs", "unit": "%", "range": [0, 100]},
        "logToggle": "x",
        "note": f"Sizes with fewer than {JOBS_FOR_A_CURVE} jobs are left out." if left_out else "",
        "series": [
            {
                "name": f"{curve['size']} GPU{'' if curve['size'] == '1' else 's'}, {curve['jobs']:,} jobs",
                "x": [seconds / 3600 for seconds in curve["run_s"]],
                "y": [round(100 * share, 3) for share in curve["share"]],
            }
            for curve in curves
        ],
    }


def _states(profile: Profile) -> Figure | None:
    portions = profile["states"]
    if all(portion["name"] == "unknown" for portion in portions) or not profile["gpu_hours"]:
        return None
    return {
        "kind": "stacked",
        "orientation": "h",
        "title": "How jobs ended, by jobs and by GPU-hours",
        "x": {"title": "", "type": "category"},
        "y": {"title": "share", "unit": "%", "range": [0, 100]},
        "series": [
            {
                "name": portion["name"],
                "x": ["jobs", "GPU-hours"],
                "y": [
                    round(100 * portion["jobs"] / profile["jobs"], 3),
                    round(100 * portion["gpu_hours"] / profile["gpu_hours"], 3),
                ],
                "color": STATE_COLOURS.get(portion["name"], "scenario-8"),
            }
            for portion in portions
        ],
        "height": 220,
    }
