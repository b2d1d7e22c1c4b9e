"""A run's life: whatever is killed, repeated or late, each specification is answered once."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.db import OperationalError, connection
from django.utils import timezone
from kombu.exceptions import OperationalError as BrokerUnreachable

from fleet.planning import services
from fleet.planning.models import Outcome, Run, RunState
from fleet.planning.services import heartbeat, runs
from fleet.planning.tasks import run_replay
from fleet.workloads.models import Workload
from tests.fleet.planning.conftest import execute, keep_cluster, keep_workload, runs_of, small_trace
from twin import engine


def files(path: str = "outcomes") -> list[str]:
    """Every stored file under a folder."""
    try:
        folders, names = default_storage.listdir(path)
    except FileNotFoundError:
        return []
    found = [f"{path}/{name}" for name in names]
    return found + [name for folder in folders for name in files(f"{path}/{folder}")]


def go_silent(run: Run, seconds: float = 21) -> None:
    """As if the worker had been killed so long ago."""
    Run.objects.filter(pk=run.pk).update(heartbeat_at=timezone.now() - timedelta(seconds=seconds))


@pytest.fixture
def run(make_study) -> Run:
    """One queued run."""
    return runs_of(make_study(candidates=[]))[0]


class TestSuccess:
    def test_a_run_succeeds_with_an_outcome_and_its_files(self, run):
        execute([run])
        run.refresh_from_db()
        assert (run.state, run.attempt, run.progress, run.error) == (RunState.SUCCEEDED, 1, 1.0, "")
        assert run.outcome.summary["jobs"] == 60
        assert run.outcome.engine_version == engine.engine_version()
        assert sorted(files()) == sorted([run.outcome.charts_file, run.outcome.jobs_file])

    def test_a_message_delivered_twice_is_worked_once(self, run):
        execute([run, run])
        run.refresh_from_db()
        assert run.attempt == 1
        assert Outcome.unscoped.count() == 1

    def test_the_same_specification_is_not_replayed_again(self, make_study, run):
        execute([run])
        again = runs_of(make_study(candidates=[]))[0]
        execute([again])
        again.refresh_from_db()
        run.refresh_from_db()
        assert (again.state, again.attempt) == (RunState.SUCCEEDED, 0)
        assert again.outcome == run.outcome

    def test_prices_and_names_are_no_part_of_the_specification(self, make_study, workspace, planner, run):
        same = keep_cluster(workspace, planner, "the same, dearer", 1, pue=1.9)
        assert runs_of(make_study(baseline=same, candidates=[]))[0].spec_hash == run.spec_hash

    def test_workspaces_never_share_an_outcome(self, run, other_workspace, stranger):
        execute([run])
        workload = keep_workload(other_workspace, "trace", small_trace())
        cluster = keep_cluster(other_workspace, stranger, "theirs", 1)
        policy = services.policy_create(other_workspace, stranger, name="FIFO, EASY")
        draft = services.StudyDraft("theirs", workload, cluster, [policy])
        theirs = runs_of(services.study_create(other_workspace, stranger, draft))[0]
        assert theirs.spec_hash == run.spec_hash
        execute([theirs])
        theirs.refresh_from_db()
        run.refresh_from_db()
        assert theirs.outcome != run.outcome
        assert theirs.outcome.workspace == other_workspace


class TestClaim:
    def test_only_one_worker_gets_a_run(self, run):
        assert services.run_claim(run.pk).attempt == 1
        assert services.run_claim(run.pk) is None

    def test_an_equal_run_waits_for_its_twin_and_is_finished_by_it(self, make_study, run):
        twin = runs_of(make_study(candidates=[]))[0]
        held = services.run_claim(run.pk)
        assert services.run_claim(twin.pk) is None
        assert runs.run_succeed(held, summary={}, charts="c", jobs="j", computed_s=1.0)
        twin.refresh_from_db()
        run.refresh_from_db()
        assert (twin.state, twin.outcome) == (RunState.SUCCEEDED, run.outcome)

    def test_a_run_of_another_engine_is_stamped_anew(self, run, monkeypatch):
        old = run.spec_hash
        monkeypatch.setattr(engine, "engine_version", lambda: "another")
        held = services.run_claim(run.pk)
        assert held.spec["engine_version"] == "another"
        assert held.spec_hash != old

    @pytest.mark.django_db(transaction=True)
    def test_of_eight_workers_at_once_one_gets_the_run(self, make_study):
        run = runs_of(make_study(candidates=[]))[0]
        claims, start = [], threading.Barrier(8)

        def claim() -> None:
            start.wait()
            while True:
                try:
                    claims.append(services.run_claim(run.pk))
                except OperationalError:  # a table of SQLite in memory is locked, not waited for
                    continue
                break
            connection.close()

        workers = [threading.Thread(target=claim) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        run.refresh_from_db()
        assert len(claims) == 8
        assert len([claim for claim in claims if claim]) == 1
        assert run.attempt == 1


class TestLostWorker:
    def test_a_silent_run_is_queued_again_and_sent(self, run, sent):
        go_silent(services.run_claim(run.pk))
        recovery = services.runs_recover(timezone.now())
        run.refresh_from_db()
        assert (recovery.requeued, run.state, run.losses) == (1, RunState.QUEUED, 1)
        assert run.pk in sent

    def test_a_run_that_beats_is_left_alone(self, run):
        go_silent(services.run_claim(run.pk), seconds=15)
        assert services.runs_recover(timezone.now()).requeued == 0

    def test_the_second_loss_fails_it_and_says_why(self, run):
        for _ in range(2):
            go_silent(services.run_claim(run.pk))
            services.runs_recover(timezone.now())
        run.refresh_from_db()
        assert (run.state, run.losses) == (RunState.FAILED, 2)
        assert "lost twice" in run.error

    def test_the_worker_that_was_thought_lost_writes_nothing(self, run):
        late = services.run_claim(run.pk)
        go_silent(late)
        services.runs_recover(timezone.now())
        held = services.run_claim(run.pk)
        assert not runs.run_beat(late, progress=0.9, step="late")
        assert not runs.run_succeed(late, summary={"late": True}, charts="c", jobs="j", computed_s=1.0)
        assert not runs.run_fail(late, "late")
        run.refresh_from_db()
        assert (run.state, run.attempt, run.error) == (RunState.RUNNING, held.attempt, "")
        assert not Outcome.unscoped.exists()

    def test_files_of_the_loser_are_deleted(self, run, monkeypatch):
        def lose_before_the_row(*args: object, **kwargs: object) -> bool:
            Run.objects.filter(pk=run.pk).update(attempt=2)
            return succeed(*args, **kwargs)

        succeed = runs.run_succeed
        monkeypatch.setattr("fleet.planning.services.execution.run_succeed", lose_before_the_row)
        execute([run])
        assert files() == []
        assert not Outcome.unscoped.exists()

    def test_a_lost_message_is_sent_again_later_and_later(self, run, sent):
        now = timezone.now()
        for seconds in (21, 42, 45, 90):
            services.runs_recover(now + timedelta(seconds=seconds))
            Run.objects.filter(pk=run.pk).update(sent_at=now + timedelta(seconds=seconds))
        assert sent.count(run.pk) == 3

    def test_a_broker_out_of_reach_leaves_the_run_queued(self, run, monkeypatch):
        def unreachable(_run_id: int) -> None:
            raise BrokerUnreachable("no broker")

        monkeypatch.setattr(run_replay, "delay", unreachable)
        services.runs_send([run.pk])
        run.refresh_from_db()
        assert (run.state, run.sent_at) == (RunState.QUEUED, None)


class TestCancel:
    def test_a_queued_run_ends_at_once(self, run):
        services.runs_cancel([run])
        run.refresh_from_db()
        assert run.state == RunState.CANCELLED
        assert services.run_claim(run.pk) is None

    def test_a_running_one_hears_it_at_its_next_beat(self, run):
        held = services.run_claim(run.pk)
        services.runs_cancel([run])
        assert not runs.run_beat(held, progress=0.5, step="replaying")
        assert runs.run_end_cancelled(held)
        run.refresh_from_db()
        assert run.state == RunState.CANCELLED

    def test_one_whose_worker_is_gone_ends_cancelled_too(self, run):
        go_silent(services.run_claim(run.pk))
        services.runs_cancel([run])
        assert services.runs_recover(timezone.now()).cancelled == 1
        run.refresh_from_db()
        assert run.state == RunState.CANCELLED

    def test_twins_of_a_cancelled_run_are_sent(self, make_study, run, sent, monkeypatch):
        twin = runs_of(make_study(candidates=[]))[0]

        def cancelled_meanwhile(*_args: object, **_kwargs: object) -> None:
            Run.objects.filter(pk=run.pk).update(cancel_requested=True)
            raise engine.ReplayCancelled

        monkeypatch.setattr("fleet.planning.services.execution.replay", cancelled_meanwhile)
        execute([run])
        run.refresh_from_db()
        assert run.state == RunState.CANCELLED
        assert sent == [twin.pk]

    @pytest.mark.django_db(transaction=True)
    def test_the_heartbeat_writes_progress_and_stops_a_cancelled_run(self, make_study, monkeypatch):
        monkeypatch.setattr(heartbeat, "BEAT_S", 0.02)
        held = services.run_claim(runs_of(make_study(candidates=[]))[0].pk)
        row = Run.objects.filter(pk=held.pk)
        with heartbeat.Heartbeat(held) as beating:
            beating.tell(0.5, "replaying")
            assert eventually(lambda: row.filter(progress=0.5, step="replaying").exists())
            assert beating.go_on
            services.runs_cancel([held])
            assert eventually(lambda: not beating.go_on)
            with pytest.raises(heartbeat.Stopped):
                beating.enter(0.9, "storing")


class TestFailure:
    def test_a_workload_that_was_deleted_fails_the_run_with_a_reason(self, run, workload):
        Workload.unscoped.filter(pk=workload.pk).delete()
        execute([run])
        run.refresh_from_db()
        assert run.state == RunState.FAILED
        assert "was deleted" in run.error
        assert not Outcome.unscoped.exists()

    def test_a_workload_with_other_content_is_not_replayed_under_the_old_name(self, run, workload):
        Workload.unscoped.filter(pk=workload.pk).update(sha256="other")
        execute([run])
        run.refresh_from_db()
        assert "has changed since" in run.error

    @pytest.mark.parametrize("error", [MemoryError(), RuntimeError("surprise")])
    def test_any_error_ends_the_run_with_words(self, run, monkeypatch, error):
        def fail(*_args: object, **_kwargs: object) -> None:
            raise error

        monkeypatch.setattr("fleet.planning.services.execution.replay", fail)
        execute([run])
        run.refresh_from_db()
        assert run.state == RunState.FAILED
        assert "memory" in run.error or "surprise" in run.error

    def test_a_failed_run_can_be_retried(self, run, monkeypatch, sent, django_capture_on_commit_callbacks):
        held = services.run_claim(run.pk)
        runs.run_fail(held, "it broke")
        with django_capture_on_commit_callbacks(execute=True):
            assert services.runs_retry([run]) == 1
        assert sent == [run.pk]
        execute([run])
        run.refresh_from_db()
        assert (run.state, run.attempt, run.error) == (RunState.SUCCEEDED, 2, "")


class TestSweep:
    def test_outcomes_and_files_that_nothing_points_to_go_after_a_day(self, finished_study):
        default_storage.save("outcomes/abc/1-1/jobs.parquet", default_storage.open(files()[0]))
        services.study_delete(finished_study, None)
        services.outcomes_sweep(timezone.now())
        assert len(files()) == 5
        services.outcomes_sweep(timezone.now() + timedelta(hours=25))
        assert files() == []
        assert not Outcome.unscoped.exists()

    def test_what_a_run_points_to_stays(self, finished_study):
        services.outcomes_sweep(timezone.now() + timedelta(days=400))
        assert len(files()) == 4


def eventually(holds: object, timeout_s: float = 10.0) -> bool:
    """Whether something comes true before the time is up."""
    waited = threading.Event()
    for _ in range(int(timeout_s / 0.02)):
        if holds():
            return True
        waited.wait(0.02)
    return False
