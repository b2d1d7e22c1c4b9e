"""The inventory's pages: what they show, what they write, what they refuse, and at what cost."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from fleet.inventory import services
from fleet.inventory.file_format import ACCEPTED_FIELDS, EXAMPLE
from fleet.inventory.models import Cluster, GpuModel, NodeType
from fleet.planning.models import Scenario, Study
from tests.fleet.inventory.conftest import CLUSTER_YAML
from twin import hardware

MOST_QUERIES = 30


def text_of(response) -> str:
    return response.content.decode()


def form_data(*pools: dict, initial: int = 0, **cluster) -> dict:
    """What the form of a cluster sends."""
    data = {"name": "new one", "currency": "usd", "amortisation_years": 5, "pue": 1.2, **cluster}
    data |= {"pools-TOTAL_FORMS": len(pools), "pools-INITIAL_FORMS": initial}
    for index, pool in enumerate(pools):
        data |= {f"pools-{index}-{field}": value for field, value in ({"speed": 1.0} | pool).items()}
    return data


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["two-pools", "two-pools candidate"]),
        ("?kind=candidate", ["two-pools candidate"]),
        ("?text=candid", ["two-pools candidate"]),
        ("?gpu=Homemade&sort=-gpus", ["two-pools candidate", "two-pools"]),
        ("?gpu=A10", []),
    ],
)
def test_filters_and_sort_are_in_the_address_and_hold_for_the_csv(
    viewer_client, workspace_url, cluster, planner, query, names
):
    services.cluster_derive(cluster, planner, nodes={"a100": 48})
    page = viewer_client.get(workspace_url("inventory:cluster_list") + query)
    assert [row.name for row in page.context["page"]] == names
    table = csv.DictReader(
        io.StringIO(text_of(viewer_client.get(workspace_url("inventory:cluster_list_csv") + query)))
    )
    assert [row["name"] for row in table] == names


def test_a_cluster_shows_its_totals_and_a_missing_price_as_a_dash(viewer_client, workspace_url, cluster):
    page = viewer_client.get(workspace_url("inventory:cluster_detail", cluster_id=cluster.pk))
    assert page.context["row"].gpus == 32 * 8 + 2 * 4
    assert page.context["row"].hardware_per_year == (32 * 150_000 + 2 * 9_000) / 4
    cluster.pools.filter(name="lab").update(node_price=None)
    page = viewer_client.get(workspace_url("inventory:cluster_detail", cluster_id=cluster.pk))
    assert page.context["row"].hardware_per_year is None


def test_a_candidate_shows_field_by_field_what_differs(viewer_client, workspace_url, cluster, planner):
    candidate = services.cluster_derive(cluster, planner, nodes={"a100": 48})
    pools = [{"id": pool.pk} for pool in candidate.pools.all()]
    services.cluster_update(candidate, planner, pools=pools[:1], pue=1.1)
    page = viewer_client.get(workspace_url("inventory:cluster_detail", cluster_id=candidate.pk))
    told = [(d.part, d.field, d.before, d.after, d.percent) for d in page.context["differences"]]
    assert told == [
        ("economy", "PUE", 1.3, 1.1, "-15.4 %"),
        ("a100", "nodes", 32, 48, "+50 %"),
        ("lab", "pool", "2 nodes of 4 × Homemade", None, "—"),
    ]


def test_a_cluster_that_lost_its_pools_is_shown_and_not_exported(
    planner_client, workspace_url, cluster, planner
):
    services.cluster_derive(cluster, planner)
    cluster.pools.all().delete()
    assert "two-pools" in text_of(planner_client.get(workspace_url("inventory:cluster_list")))
    page = planner_client.get(workspace_url("inventory:cluster_yaml", cluster_id=cluster.pk), follow=True)
    assert "cluster two-pools: has no node (at least one pool with nodes)" in text_of(page)


def test_a_planner_describes_a_cluster_by_hand(planner_client, workspace, workspace_url, node_type, gpu):
    data = form_data(
        {"name": "typed", "nodes": 4, "node_type": node_type.pk},
        {"name": "own", "nodes": 2, "gpu": gpu.pk, "gpus_per_node": 4, "cpus": 64},
        {},  # the spare row, left empty
    )
    response = planner_client.post(workspace_url("inventory:cluster_new"), data)
    cluster = Cluster.objects.in_workspace(workspace).get()
    assert response.url == workspace_url("inventory:cluster_detail", cluster_id=cluster.pk)
    assert cluster.currency == "USD"
    typed, own = services.cluster_value(cluster).pools
    assert (typed.gpu.name, typed.gpus_per_node) == ("H100-SXM-80GB", node_type.gpus_per_node)
    assert (own.gpu.name, own.cpus) == ("A100-SXM-80GB", 64)


def test_a_pool_is_added_and_another_removed_in_one_edit(planner_client, workspace_url, cluster, gpu):
    a100, lab = cluster.pools.all()
    data = form_data(
        {"pool_id": a100.pk, "name": "a100", "nodes": 33, "gpu": gpu.pk, "gpus_per_node": 8},
        {"pool_id": lab.pk, "name": "lab", "nodes": 2, "gpu": gpu.pk, "gpus_per_node": 4, "DELETE": "on"},
        {"name": "more", "nodes": 1, "gpu": gpu.pk, "gpus_per_node": 2},
        initial=2,
        name="two-pools",
    )
    planner_client.post(workspace_url("inventory:cluster_edit", cluster_id=cluster.pk), data)
    assert [(pool.name, pool.nodes) for pool in cluster.pools.all()] == [("a100", 33), ("more", 1)]
    assert cluster.pools.get(name="a100").pk == a100.pk


def test_an_edit_that_changes_nothing_keeps_every_pool(planner_client, workspace_url, cluster):
    url = workspace_url("inventory:cluster_edit", cluster_id=cluster.pk)
    page = planner_client.get(url)
    data = {"pools-TOTAL_FORMS": 3, "pools-INITIAL_FORMS": 2}
    for form in [page.context["form"], *page.context["pools"]]:
        for field in form:
            value = field.value()
            if value not in (None, False):
                data[field.html_name] = getattr(value, "pk", value)
    before = services.cluster_value(cluster)
    assert planner_client.post(url, data).status_code == 302
    assert services.cluster_value(Cluster.unscoped.get(pk=cluster.pk)) == before


def test_a_change_that_somebody_else_made_meanwhile_is_not_overwritten(
    planner_client, workspace_url, cluster, planner, gpu
):
    url = workspace_url("inventory:cluster_edit", cluster_id=cluster.pk)
    seen = planner_client.get(url).context["form"]["seen"].value()
    services.cluster_update(
        cluster, planner, pools=[{"id": pool.pk} for pool in cluster.pools.all()], pue=1.1
    )
    data = form_data(
        {"name": "p", "nodes": 1, "gpu": gpu.pk, "gpus_per_node": 8}, name="two-pools", seen=seen
    )
    assert "Somebody else has changed this cluster" in text_of(planner_client.post(url, data))
    assert cluster.pools.count() == 2


def test_all_problems_of_the_form_are_shown_and_nothing_is_written(
    planner_client, workspace_url, cluster, gpu
):
    data = form_data(
        {"name": "p", "nodes": 0, "gpu": gpu.pk, "gpus_per_node": 65},
        {"name": "p", "nodes": 1},
        name="two-pools",
        currency="euro1",
    )
    page = text_of(planner_client.post(workspace_url("inventory:cluster_new"), data))
    for told in (
        "There is a cluster of that name already.",
        "Ensure this value is greater than or equal to 1.",
        "Ensure this value is less than or equal to 64.",
        "Another pool has this name.",
        "Choose a node type, or a GPU model and its GPUs a node.",
        "at most 3 characters",
    ):
        assert told in page
    assert Cluster.unscoped.count() == 1


def test_a_cluster_without_a_pool_is_refused(planner_client, workspace_url, catalogue):
    page = text_of(planner_client.post(workspace_url("inventory:cluster_new"), form_data({})))
    assert "A cluster needs at least one pool." in page


def test_another_workspaces_node_type_cannot_be_chosen(
    planner_client, workspace_url, other_workspace, stranger, node_type
):
    theirs = services.node_type_clone(node_type, other_workspace, stranger)
    data = form_data({"name": "p", "nodes": 1, "node_type": theirs.pk})
    page = text_of(planner_client.post(workspace_url("inventory:cluster_new"), data))
    assert "Select a valid choice." in page


def test_derive_and_clone_open_the_copy_for_editing(planner_client, workspace, workspace_url, cluster):
    for action, name in (("derive", "two-pools candidate"), ("clone", "two-pools copy")):
        response = planner_client.post(workspace_url(f"inventory:cluster_{action}", cluster_id=cluster.pk))
        copy = Cluster.objects.in_workspace(workspace).get(name=name)
        assert response.url == workspace_url("inventory:cluster_edit", cluster_id=copy.pk)


def test_a_deletion_is_asked_for_first(planner_client, workspace, workspace_url, cluster):
    url = workspace_url("inventory:cluster_delete", cluster_id=cluster.pk)
    assert "Delete two-pools?" in text_of(planner_client.get(url))
    assert Cluster.objects.in_workspace(workspace).exists()
    planner_client.post(url)
    assert not Cluster.objects.in_workspace(workspace).exists()


def test_a_file_is_imported_and_the_export_reads_back_equal(planner_client, workspace_url, catalogue):
    file = SimpleUploadedFile("mine.yaml", CLUSTER_YAML.encode())
    url = workspace_url("inventory:cluster_import")
    page = planner_client.post(url, {"file": file, "is_candidate": "on"}, follow=True)
    cluster = page.context["cluster"]
    assert cluster.is_candidate
    exported = planner_client.get(workspace_url("inventory:cluster_yaml", cluster_id=cluster.pk))
    assert exported["Content-Disposition"] == 'attachment; filename="two-pools.yaml"'
    assert hardware.load_cluster(text_of(exported)) == hardware.load_cluster(CLUSTER_YAML)


def test_all_problems_of_a_file_are_told_with_file_line_and_key(planner_client, workspace_url, catalogue):
    broken = (
        CLUSTER_YAML.replace("nodes: 32", "nodes: -1")
        .replace("A100-SXM-80GB", "A100")
        .replace("speed:", "sped:")
    )
    page = text_of(planner_client.post(workspace_url("inventory:cluster_import"), {"text": broken}))
    assert "pasted text, line 7" in page
    assert "pasted text, line 8" in page
    assert "sped" in page
    assert Cluster.unscoped.count() == 0


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({}, "Choose a file or paste its text."),
        ({"text": "a: 1", "file": SimpleUploadedFile("a.yaml", b"a: 1")}, "not both"),
        ({"file": SimpleUploadedFile("a.png", b"\x89PNG\xff")}, "a.png is not text in UTF-8"),
        ({"file": SimpleUploadedFile("a.yaml", b"x" * 2_000_001)}, "at most 2,000,000"),
        ({"file": SimpleUploadedFile("empty.yaml", b"")}, "The submitted file is empty."),
        ({"text": "- just\n- a list"}, "pasted text"),
    ],
)
def test_a_file_that_is_none_is_explained(planner_client, workspace_url, catalogue, data, told):
    assert told in text_of(planner_client.post(workspace_url("inventory:cluster_import"), data))


def test_the_import_page_opens_without_a_complaint(planner_client, workspace_url):
    assert "notice error" not in text_of(planner_client.get(workspace_url("inventory:cluster_import")))


def test_a_viewer_sees_no_edit_button(viewer_client, workspace_url, cluster, node_type):
    for url in (
        workspace_url("inventory:cluster_list"),
        workspace_url("inventory:cluster_detail", cluster_id=cluster.pk),
        workspace_url("inventory:node_type_detail", node_type_id=node_type.pk),
        workspace_url("inventory:gpu_list"),
        workspace_url("inventory:pool_capacity", pool_id=cluster.pools.first().pk),
    ):
        main = text_of(viewer_client.get(url)).split("<main")[1]
        for word in ("Edit", "Delete", "Clone", "Derive a", "New ", "Import YAML", "Add a row"):
            assert f">{word}" not in main


@pytest.mark.parametrize(
    ("query", "first", "count"),
    [
        ("?vendor=AMD&sort=-memory_gb", "MI350X", None),
        ("?text=h100&sort=tdp_w", "H100-PCIe-80GB", 3),
        ("?memory_gb_from=200", "B300", None),
        ("?memory_gb_from=rubbish&own=1", None, 0),
    ],
)
def test_the_gpu_catalogue_filters_and_sorts(viewer_client, workspace_url, catalogue, query, first, count):
    gpus = viewer_client.get(workspace_url("inventory:gpu_list") + query).context["gpus"]
    assert count is None or len(gpus) == count
    assert first is None or gpus[0].name == first


def test_a_figure_that_is_not_known_sorts_last_both_ways(viewer_client, workspace_url, catalogue):
    for sort in ("fp8_tflops_dense", "-fp8_tflops_dense"):
        gpus = viewer_client.get(workspace_url("inventory:gpu_list") + f"?sort={sort}").context["gpus"]
        assert gpus[0].fp8_tflops_dense is not None
        assert gpus[-1].fp8_tflops_dense is None


def test_a_gpu_model_names_its_source_and_offers(viewer_client, workspace_url, catalogue):
    gpu = GpuModel.unscoped.get(name="H100-SXM-80GB")
    page = text_of(viewer_client.get(workspace_url("inventory:gpu_detail", gpu_id=gpu.pk)))
    assert gpu.source in page
    assert "USD per GPU-hour" in page


def test_a_built_in_node_type_is_cloned_not_edited(planner_client, workspace, workspace_url, node_type):
    url = workspace_url("inventory:node_type_edit", node_type_id=node_type.pk)
    assert "read-only" in text_of(planner_client.get(url, follow=True))
    planner_client.post(workspace_url("inventory:node_type_clone", node_type_id=node_type.pk))
    copy = NodeType.unscoped.get(workspace=workspace)
    url = workspace_url("inventory:node_type_edit", node_type_id=copy.pk)
    data = {
        "name": "mine",
        "gpu": copy.gpu_id,
        "gpus_per_node": 4,
        "cpus": 0,
        "memory_gb": 0,
        "nodes_per_rack": 0,
    }
    planner_client.post(url, data)
    copy.refresh_from_db()
    assert (copy.name, copy.gpus_per_node) == ("mine", 4)


def test_a_gpu_model_of_ones_own_is_made_and_deleted(planner_client, workspace, workspace_url):
    planner_client.post(
        workspace_url("inventory:gpu_new"), {"name": "X1", "memory_gb": 48, "mig_max_instances": 0}
    )
    gpu = GpuModel.objects.in_workspace(workspace).get(name="X1")
    planner_client.post(workspace_url("inventory:gpu_delete", gpu_id=gpu.pk))
    assert not GpuModel.objects.in_workspace(workspace).exists()


def test_capacity_is_dated_and_taken_back(planner_client, workspace_url, cluster):
    pool = cluster.pools.first()
    url = workspace_url("inventory:pool_capacity", pool_id=pool.pk)
    row = {"state": "service", "nodes": 8, "from_date": "2026-03-01"}
    planner_client.post(url, row)
    assert "There is a row for that state and day already" in text_of(planner_client.post(url, row))
    capacity = pool.capacities.get()
    planner_client.post(workspace_url("inventory:capacity_remove", capacity_id=capacity.pk))
    assert not pool.capacities.exists()


def test_a_name_that_a_spreadsheet_would_run_is_defused(viewer_client, workspace_url, cluster):
    Cluster.unscoped.filter(pk=cluster.pk).update(name="=1+1")
    services.cluster_derive(Cluster.unscoped.get(pk=cluster.pk), None, name="next")
    told = text_of(viewer_client.get(workspace_url("inventory:cluster_list_csv")))
    assert "\r\n'=1+1," in told
    assert "\r\nnext,candidate,'=1+1," in told


@pytest.mark.parametrize("page", ["cluster_list", "node_type_list", "gpu_list"])
def test_a_list_takes_few_queries_however_long_it_is(
    viewer_client, workspace_url, cluster, planner, page, django_assert_max_num_queries
):
    for _ in range(12):
        services.cluster_derive(cluster, planner)
    with django_assert_max_num_queries(MOST_QUERIES):
        viewer_client.get(workspace_url(f"inventory:{page}"))


def test_the_form_of_a_large_cluster_takes_few_queries(
    planner_client, workspace_url, cluster, planner, django_assert_max_num_queries
):
    pools = [
        {"name": f"p{number}", "nodes": 1, "gpu": GpuModel.unscoped.first(), "gpus_per_node": 1}
        for number in range(20)
    ]
    large = services.cluster_create(cluster.workspace, planner, name="large", pools=pools)
    with django_assert_max_num_queries(MOST_QUERIES):
        planner_client.get(workspace_url("inventory:cluster_edit", cluster_id=large.pk))


def test_the_admin_opens_every_model_of_the_inventory(client, cluster, admin):
    admin.is_staff = admin.is_superuser = True
    admin.save()
    client.force_login(admin)
    for model in (
        "cluster",
        "pool",
        "gpumodel",
        "nodetype",
        "site",
        "hall",
        "row",
        "rack",
        "team",
        "costcentre",
    ):
        assert client.get(f"/admin/inventory/{model}/").status_code == 200
        assert client.get(f"/admin/inventory/{model}/add/").status_code == 200
    assert client.get(f"/admin/inventory/cluster/{cluster.pk}/change/").status_code == 200


def test_the_accepted_fields_under_the_import_are_those_of_the_reader():
    value = hardware.load_cluster(EXAMPLE)
    assert len(value.pools) == 2
    told = {field.name.split(".")[-1] for field in ACCEPTED_FIELDS}
    assert told == {*hardware.Pool.__slots__, *hardware.Economy.__slots__}


def test_a_cluster_names_the_studies_that_compared_it(planner_client, workspace, workspace_url, cluster):
    study = Study.unscoped.create(workspace=workspace, name="Which one?")
    for position in (0, 1):
        Scenario.objects.create(
            study=study,
            position=position,
            cluster=cluster,
            workload_snapshot={},
            cluster_snapshot={"name": "x"},
            policy_snapshot={"name": "y"},
        )
    for url in ("inventory:cluster_detail", "inventory:cluster_delete"):
        page = planner_client.get(workspace_url(url, cluster_id=cluster.pk))
        assert "Which one?" in text_of(page)
        assert [found.of_cluster for found in page.context["studies"]] == [2]


def test_price_and_kind_are_seen_and_chosen_on_a_new_cluster(planner_client, workspace_url, node_type):
    url = workspace_url("inventory:cluster_new")
    page = text_of(planner_client.get(url))
    before_details = page[: page.index("Further figures")]
    for told in (
        "pools-0-node_price",
        "pools-0-rent_per_gpu_hour",
        "the comparison shows no cost",
        "electricity",
    ):
        assert told in before_details
    assert "real: it exists" in page
    pool = {"name": "a", "nodes": 1, "node_type": node_type.pk}
    planner_client.post(url, form_data(pool, is_candidate="True"))
    assert Cluster.unscoped.get(name="new one").is_candidate
