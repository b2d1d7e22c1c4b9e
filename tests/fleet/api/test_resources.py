"""What the API gives and takes."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from fleet.inventory.services.catalogue import catalogue_import
from fleet.planning.models import Policy
from fleet.workloads.models import StagedUpload, Workload
from fleet.workloads.tasks import ingest
from tests.fleet.workloads.objects import workload as make_workload

CLUSTER = "name: small\npools:\n  - {name: a, nodes: 2, gpu: A100-SXM-80GB, gpus_per_node: 8}\n"


@pytest.fixture
def root(workspace) -> str:
    return f"/api/v1/w/{workspace.slug}"


def post_json(client, url, body):
    return client.post(url, body, content_type="application/json")


@pytest.fixture
def cluster(root, planner_client) -> int:
    catalogue_import()
    answer = post_json(planner_client, f"{root}/clusters", {"yaml": CLUSTER})
    assert answer.status_code == 201
    return answer.json()["id"]


def test_a_trace_is_uploaded_and_read(root, planner_client, monkeypatch, django_capture_on_commit_callbacks):
    monkeypatch.setattr(ingest, "delay", ingest)
    file = SimpleUploadedFile("jobs.csv", b"job_id,submit,duration,gpus\n1,0,60,1\n2,90,60,2\n")
    with django_capture_on_commit_callbacks(execute=True):
        answer = planner_client.post(f"{root}/workloads", {"file": file, "name": "api"})
    assert (answer.status_code, answer.json()["state"]) == (202, "reading")
    told = planner_client.get(f"{root}/workloads/{answer.json()['id']}").json()
    assert (told["state"], told["job_count"], told["gpu_hours"]) == ("ready", 2, pytest.approx(0.05))
    report = planner_client.get(f"{root}/workloads/{told['id']}/report").json()
    assert report["report"]["rows_read"] == 2


def test_a_wrong_upload_is_422_with_its_problems(root, planner_client):
    file = SimpleUploadedFile("jobs.csv", b"")
    answer = planner_client.post(f"{root}/workloads", {"file": file, "name": "api"})
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["what"] == "the file is empty (0 bytes)"
    assert not StagedUpload.unscoped.exists()


def test_workloads_are_paged(root, viewer_client, workspace):
    for _ in range(3):
        make_workload(workspace, {})
    answer = viewer_client.get(f"{root}/workloads?limit=2").json()
    assert (answer["count"], len(answer["items"])) == (3, 2)


def test_a_workload_is_deleted(root, planner_client, workspace):
    pk = make_workload(workspace, {})
    assert planner_client.delete(f"{root}/workloads/{pk}").status_code == 204
    assert not Workload.unscoped.exists()


def test_a_cluster_goes_in_and_comes_out_as_yaml(root, viewer_client, cluster):
    told = viewer_client.get(f"{root}/clusters/{cluster}").json()
    assert (told["gpus"], told["pools"][0]["gpu"]) == (16, "A100-SXM-80GB")
    assert "nodes: 2" in viewer_client.get(f"{root}/clusters/{cluster}/yaml").content.decode()


def test_wrong_yaml_is_422_with_its_line(root, planner_client):
    answer = post_json(planner_client, f"{root}/clusters", {"yaml": "name: a\npools: []\n"})
    assert answer.status_code == 422
    assert "cluster.yaml, line 2" in answer.json()["problems"][0]["where"]


def test_a_request_of_the_wrong_form_is_422(root, planner_client):
    answer = post_json(planner_client, f"{root}/studies", {"name": 1})
    assert answer.status_code == 422
    assert {problem["where"] for problem in answer.json()["problems"]} >= {"body.body.workload_id"}


@pytest.mark.parametrize("wrong", [{"seeds": [-1]}, {"seeds": [2**31]}, {"candidate_ids": [1] * 25}])
def test_a_study_out_of_bounds_is_422(root, planner_client, wrong):
    body = {"name": "api", "workload_id": 1, "baseline_id": 1, "policy_ids": [1]}
    assert post_json(planner_client, f"{root}/studies", body | wrong).status_code == 422


def test_a_study_is_made_and_its_runs_are_listed(root, planner_client, workspace, cluster):
    policy = Policy.unscoped.create(workspace=workspace, name="fifo")
    body = {"name": "api", "workload_id": make_workload(workspace, {}), "baseline_id": cluster}
    answer = post_json(planner_client, f"{root}/studies", body | {"policy_ids": [policy.pk]})
    assert answer.status_code == 201, answer.content
    study = answer.json()["id"]
    runs = planner_client.get(f"{root}/studies/{study}/runs").json()
    assert [(run["scenario"], run["state"]) for run in runs] == [("small · fifo", "queued")]
    cancelled = planner_client.post(f"{root}/studies/{study}/cancel").json()
    assert [run["state"] for run in cancelled] == ["cancelled"]


def test_another_workspaces_parts_make_no_study(root, planner_client, workspace, other_workspace, cluster):
    policy = Policy.unscoped.create(workspace=other_workspace, name="fifo")
    body = {"name": "api", "workload_id": make_workload(workspace, {}), "baseline_id": cluster}
    answer = post_json(planner_client, f"{root}/studies", body | {"policy_ids": [policy.pk]})
    assert answer.status_code == 404


def test_a_body_over_the_limit_is_refused_before_it_is_read(root, planner_client, settings):
    settings.UPLOAD_LIMIT_BYTES = 1
    file = SimpleUploadedFile("jobs.csv", b"x" * (2 << 20))
    answer = planner_client.post(f"{root}/workloads", {"file": file, "name": "api"})
    assert answer.status_code == 413
    assert answer.json()["detail"] == "The upload is larger than this site takes."
    assert not StagedUpload.unscoped.exists()
