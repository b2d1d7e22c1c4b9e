import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.files.storage import default_storage
from django_celery_beat.models import PeriodicTask

from fleet.planning.models import Run
from fleet.planning.services import study_delete
from fleet.reports.models import Follow, Report
from fleet.reports.services import (
    report_delete,
    reports,
    reports_collect,
    schedule_came_due,
    schedule_delete,
    schedule_pause,
    schedule_run,
)
from fleet.reports.tasks import schedule_run as schedule_run_task
from fleet.workloads.models import Workload

pytestmark = pytest.mark.django_db
NIGHT = datetime(2026, 12, 1, 1, 30, 12, tzinfo=UTC)
LATER = NIGHT + timedelta(minutes=5)


def made(schedule, work, now=NIGHT) -> Report:
    report = schedule_came_due(schedule, now)
    work()
    reports_collect(now)
    report.refresh_from_db()
    return report


def page_of(report: Report) -> str:
    return report.page.open().read().decode()


def test_a_schedule_beats_at_its_crontab_in_its_zone(schedule):
    task = schedule.periodic_task
    assert (task.task, task.args, task.enabled) == ("reports.schedule_run", f"[{schedule.pk}]", True)
    assert (task.crontab.hour, task.crontab.minute, str(task.crontab.timezone)) == (
        "2",
        "30",
        "Europe/Berlin",
    )


def test_a_paused_schedule_neither_beats_nor_reports(schedule, planner):
    schedule_pause(schedule, planner, enabled=False)
    assert not PeriodicTask.objects.get(pk=schedule.periodic_task_id).enabled
    schedule_run_task(schedule.pk)
    assert not Report.unscoped.exists()


def test_the_report_tells_both_clusters_and_their_difference(schedule, work):
    report = made(schedule, work)
    assert report.state == Report.State.READY, report.error
    page = page_of(report)
    # 8 GPUs for an hour every ten minutes need six nodes; three nodes fall behind.
    assert "three nodes" in page
    assert "six nodes" in page
    assert re.search(r"six nodes: 100.0 % of the jobs started within their target \(\+[\d.]+ points\)", page)
    assert "Deterministic replay" in page
    assert "<script" not in page


def test_the_night_runs_on_the_newest_trace(schedule, trace, work):
    trace("week 2", jobs=60)
    report = made(schedule, work)
    assert "week 2 (60 jobs)" in page_of(report)
    assert report.study.workload.name == "week 2"


def test_as_it_is_stays_on_the_studys_workload(schedule, trace, work):
    trace("week 2", jobs=60)
    schedule.follow = Follow.AS_IT_IS
    assert "week 1 (40 jobs)" in page_of(made(schedule, work))


def test_a_message_delivered_twice_makes_one_report(schedule, work):
    first, second = (
        schedule_came_due(schedule, NIGHT),
        schedule_came_due(schedule, NIGHT + timedelta(hours=5)),
    )
    assert first.pk == second.pk
    assert Report.unscoped.count() == 1
    assert first.due_at == datetime(2026, 12, 1, 1, 30, tzinfo=UTC)  # 2:30 in Berlin


def test_run_now_pressed_twice_within_a_minute_makes_one_report(schedule, planner):
    first, second = (schedule_run(schedule, NIGHT + timedelta(seconds=s), planner) for s in (0, 30))
    assert first.pk == second.pk


def test_the_page_waits_for_the_runs(schedule, work):
    report = schedule_came_due(schedule, NIGHT)
    assert reports_collect(NIGHT) == 0
    work()
    assert reports_collect(NIGHT) == 1
    assert reports_collect(NIGHT) == 0
    report.refresh_from_db()
    assert report.state == Report.State.READY


def test_an_unchanged_night_simulates_nothing_again_and_says_the_same(schedule, work):
    first = made(schedule, work)
    computed = set(Run.objects.values_list("outcome", flat=True))
    second = made(schedule, work, NIGHT + timedelta(days=1))
    assert set(Run.objects.values_list("outcome", flat=True)) == computed
    numbers = [page_of(report).split("<h2>", 1)[1] for report in (first, second)]
    assert numbers[0] == numbers[1]


def test_a_study_that_lost_its_workload_makes_a_failed_report_that_says_so(schedule):
    Workload.unscoped.all().delete()
    schedule.study.refresh_from_db()
    report = schedule_came_due(schedule, NIGHT)
    assert report.state == Report.State.FAILED
    assert "workload" in report.error


def test_a_study_deleted_while_the_report_runs_ends_the_report(schedule, planner):
    report = schedule_came_due(schedule, NIGHT)
    study_delete(schedule.study, planner)
    reports_collect(LATER)
    report.refresh_from_db()
    assert report.state == Report.State.FAILED
    assert "deleted" in report.error


def test_runs_that_never_end_are_told_after_six_hours(schedule):
    report = schedule_came_due(schedule, NIGHT)
    reports_collect(report.created_at + timedelta(hours=7))
    report.refresh_from_db()
    assert report.state == Report.State.FAILED
    assert "2 runs had not ended" in report.error


def test_deleting_a_schedule_stops_its_beat_and_keeps_its_reports(schedule, planner, work):
    report = made(schedule, work)
    schedule_delete(schedule, planner)
    assert not PeriodicTask.objects.filter(task="reports.schedule_run").exists()
    report.refresh_from_db()
    assert report.schedule is None
    assert page_of(report)


def test_deleting_a_report_removes_its_page(schedule, planner, work):
    report = made(schedule, work)
    name = report.page.name
    report_delete(report, planner)
    assert not default_storage.exists(name)


def test_a_report_that_cannot_be_made_fails_and_holds_up_no_other(schedule, work, monkeypatch):
    first = schedule_came_due(schedule, NIGHT)
    second = schedule_came_due(schedule, NIGHT + timedelta(days=1))
    work()
    make = reports.report_page

    def broken_once(report, now):
        if report.pk == first.pk:
            raise KeyError("ledger")
        return make(report, now)

    monkeypatch.setattr(reports, "report_page", broken_once)
    assert reports_collect(LATER) == 2
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.state, second.state) == (Report.State.FAILED, Report.State.READY)
    assert "KeyError: 'ledger'" in first.error


def test_a_filter_that_is_no_schedule_s_number_lets_everything_through(
    schedule, viewer_client, workspace_url
):
    url = workspace_url("reports:report_list")
    assert viewer_client.get(url, {"schedule": "9" * 30}).status_code == 200
