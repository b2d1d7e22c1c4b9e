"""Hand-drawn situations: a small world, and what must come of it, worked out on paper.

Times are milliseconds. Pools are written ``pool(nodes, gpus)``; jobs ``job(submit, run, gpus)``. Where a
situation says nothing of the policy it is FIFO, EASY to any depth, best fit, packed, a pass an instant.
``ledger`` names a pool's non-zero accounts (GPU-milliseconds up to ``horizon``); ``waits`` the non-zero
reasons of each job; ``nodes`` the (node, mask of GPUs) of each job.
"""

from dataclasses import dataclass, field


def pool(nodes, gpus, **more):
    return {"nodes": nodes, "gpus": gpus, **more}


def job(submit, run, gpus, **more):
    return {"submit": submit, "run": run, "gpus": gpus, **more}


@dataclass(frozen=True)
class Situation:
    fact: str
    pools: list
    jobs: list
    horizon: int
    starts: list
    ends: list
    ledger: list
    waits: list
    policy: dict = field(default_factory=dict)
    nodes: list | None = None
    set_aside: list | None = None


SITUATIONS = [
    Situation(
        "a cluster with nothing to do is idle for want of demand",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 4)],
        horizon=20,
        starts=[0],
        ends=[10],
        ledger=[{"PRODUCTIVE_COMPLETED": 40, "IDLE_NO_DEMAND": 40}],
        waits=[{}],
        nodes=[[(0, 0b1111)]],
    ),
    Situation(
        "a job waits for GPUs that another holds",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 4), job(2, 5, 2)],
        horizon=20,
        starts=[0, 10],
        ends=[10, 15],
        # productive 10*4 + 5*2; afterwards 2 idle for 5 ms and 4 idle for 5 ms
        ledger=[{"PRODUCTIVE_COMPLETED": 50, "IDLE_NO_DEMAND": 30}],
        waits=[{}, {"TOO_FEW_FREE": 8}],
        nodes=[[(0, 0b1111)], [(0, 0b0011)]],
    ),
    Situation(
        "one free GPU is too few for a job that asks two",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(0, 10, 2)],
        horizon=20,
        starts=[0, 10],
        ends=[10, 20],
        ledger=[{"PRODUCTIVE_COMPLETED": 50, "IDLE_TOO_FEW_FREE": 10, "IDLE_NO_DEMAND": 20}],
        waits=[{}, {"TOO_FEW_FREE": 10}],
    ),
    Situation(
        "two free GPUs on two nodes are fragmented for a packed job of two",
        pools=[pool(2, 4)],
        jobs=[job(0, 10, 3), job(0, 10, 3), job(0, 5, 2)],
        horizon=10,
        starts=[0, 0, 10],
        ends=[10, 10, 15],
        ledger=[{"PRODUCTIVE_COMPLETED": 60, "IDLE_FRAGMENTED": 20}],
        waits=[{}, {}, {"FRAGMENTED": 10}],
        nodes=[[(0, 0b0111)], [(1, 0b0111)], [(0, 0b0011)]],
    ),
    Situation(
        "a scattered job takes the two GPUs where they are",
        pools=[pool(2, 4)],
        jobs=[job(0, 10, 3), job(0, 10, 3), job(0, 5, 2)],
        policy={"shape": "scatter"},
        horizon=10,
        starts=[0, 0, 0],
        ends=[10, 10, 5],
        # best fit scatters the second job too: one GPU beside the first job, two on the next node
        ledger=[{"PRODUCTIVE_COMPLETED": 70, "IDLE_NO_DEMAND": 10}],
        waits=[{}, {}, {}],
        nodes=[[(0, 0b0111)], [(0, 0b1000), (1, 0b0011)], [(1, 0b1100)]],
    ),
    Situation(
        "a pool whose GPU model no waiting job accepts is idle for that",
        pools=[pool(1, 4, model="A"), pool(1, 4, model="B")],
        jobs=[job(0, 10, 4, models=["B"]), job(0, 10, 2, models=["B"])],
        horizon=20,
        starts=[0, 10],
        ends=[10, 20],
        ledger=[
            {"IDLE_WRONG_GPU_MODEL": 40, "IDLE_NO_DEMAND": 40},
            {"PRODUCTIVE_COMPLETED": 60, "IDLE_NO_DEMAND": 20},
        ],
        waits=[{}, {"WRONG_GPU_MODEL": 10}],
    ),
    Situation(
        "GPUs idle while the only submitted job is not yet eligible",
        pools=[pool(1, 4)],
        jobs=[job(2, 4, 4, eligible=6)],
        horizon=12,
        starts=[6],
        ends=[10],
        ledger=[{"IDLE_NO_DEMAND": 16, "IDLE_NOT_ELIGIBLE": 16, "PRODUCTIVE_COMPLETED": 16}],
        waits=[{"NOT_YET_ELIGIBLE": 4}],
    ),
    Situation(
        "EASY holds a free GPU for the head against a job that would outlast its reservation",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 4), job(2, 20, 1)],
        horizon=20,
        starts=[0, 10, 20],
        ends=[10, 20, 40],
        # the free GPU: 1 ms no demand, 1 ms too few for the head, 8 ms held for it
        ledger=[
            {
                "PRODUCTIVE_COMPLETED": 70,
                "IDLE_NO_DEMAND": 1,
                "IDLE_TOO_FEW_FREE": 1,
                "IDLE_HELD_FOR_WAITING_JOB": 8,
            }
        ],
        waits=[{}, {"TOO_FEW_FREE": 9}, {"HELD_FOR_ANOTHER": 8, "TOO_FEW_FREE": 10}],
    ),
    Situation(
        "EASY lets a job pass that ends exactly at the head's reserved start",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 4), job(2, 8, 1)],
        horizon=20,
        starts=[0, 10, 2],
        ends=[10, 20, 10],
        ledger=[{"PRODUCTIVE_COMPLETED": 78, "IDLE_NO_DEMAND": 1, "IDLE_TOO_FEW_FREE": 1}],
        waits=[{}, {"TOO_FEW_FREE": 9}, {}],
    ),
    Situation(
        "EASY lets a long job pass on a GPU that the head will not need",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 3), job(2, 100, 1)],
        horizon=10,
        starts=[0, 10, 2],
        ends=[10, 20, 102],
        ledger=[{"PRODUCTIVE_COMPLETED": 38, "IDLE_NO_DEMAND": 1, "IDLE_TOO_FEW_FREE": 1}],
        waits=[{}, {"TOO_FEW_FREE": 9}, {}],
    ),
    Situation(
        "first fit makes no reservation, so a small long job delays the wide one",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 4), job(2, 20, 1)],
        policy={"backfill": "first_fit"},
        horizon=22,
        starts=[0, 22, 2],
        ends=[10, 32, 22],
        # from 10 to 22 three GPUs are free and too few
        ledger=[{"PRODUCTIVE_COMPLETED": 50, "IDLE_NO_DEMAND": 1, "IDLE_TOO_FEW_FREE": 37}],
        waits=[{}, {"TOO_FEW_FREE": 21}, {}],
    ),
    Situation(
        "strict order keeps a job that would fit behind the first that does not",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 4), job(2, 5, 1)],
        policy={"backfill": "strict"},
        horizon=20,
        starts=[0, 10, 20],
        ends=[10, 20, 25],
        ledger=[{"PRODUCTIVE_COMPLETED": 70, "IDLE_NO_DEMAND": 1, "IDLE_TOO_FEW_FREE": 9}],
        waits=[{}, {"TOO_FEW_FREE": 9}, {"BEHIND_OTHERS": 8, "TOO_FEW_FREE": 10}],
    ),
    Situation(
        "a job past the backfill depth is not looked at",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 4), job(0, 10, 4), job(0, 10, 1), job(0, 10, 1)],
        policy={"depth": 1},
        horizon=20,
        starts=[0, 10, 20, 20],
        ends=[10, 20, 30, 30],
        # at 0 the head and one more are examined; at 10 the head has started and the next two are
        ledger=[{"PRODUCTIVE_COMPLETED": 80}],
        waits=[{}, {"TOO_FEW_FREE": 10}, {"TOO_FEW_FREE": 20}, {"BEHIND_OTHERS": 10, "TOO_FEW_FREE": 10}],
    ),
    Situation(
        "with backfill depth zero nothing passes the head",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3), job(1, 10, 4), job(2, 5, 1)],
        policy={"depth": 0},
        horizon=10,
        starts=[0, 10, 20],
        ends=[10, 20, 25],
        ledger=[{"PRODUCTIVE_COMPLETED": 30, "IDLE_NO_DEMAND": 1, "IDLE_TOO_FEW_FREE": 9}],
        waits=[{}, {"TOO_FEW_FREE": 9}, {"BEHIND_OTHERS": 8, "TOO_FEW_FREE": 10}],
    ),
    Situation(
        "shortest job first goes by the time limit, and by the run time where there is none",
        pools=[pool(1, 1)],
        jobs=[job(0, 10, 1), job(1, 9, 1, limit=20), job(2, 15, 1), job(3, 14, 1, limit=16)],
        policy={"order": "sjf"},
        horizon=50,
        starts=[0, 39, 10, 25],
        ends=[10, 48, 25, 39],
        ledger=[{"PRODUCTIVE_COMPLETED": 48, "IDLE_NO_DEMAND": 2}],
        waits=[
            {},
            {"TOO_FEW_FREE": 38},
            {"TOO_FEW_FREE": 8},
            {"TOO_FEW_FREE": 22},
        ],
    ),
    Situation(
        "the larger priority goes first, equals by submit time, then by row",
        pools=[pool(1, 1)],
        jobs=[job(0, 10, 1), job(2, 1, 1), job(1, 1, 1), job(2, 1, 1), job(3, 1, 1, priority=5)],
        policy={"order": "priority", "backfill": "strict"},
        horizon=14,
        starts=[0, 12, 11, 13, 10],
        ends=[10, 13, 12, 14, 11],
        ledger=[{"PRODUCTIVE_COMPLETED": 14}],
        # strict: only the first of the queue is looked at, the others keep their last reason
        waits=[
            {},
            {"BEHIND_OTHERS": 9, "TOO_FEW_FREE": 1},
            {"TOO_FEW_FREE": 10},
            {"BEHIND_OTHERS": 10, "TOO_FEW_FREE": 1},
            {"TOO_FEW_FREE": 7},
        ],
    ),
    Situation(
        "a job that runs into its limit ends there as timed out",
        pools=[pool(1, 2)],
        jobs=[job(0, 10, 2, limit=6), job(0, 4, 2, limit=6, state="FAILED"), job(0, 3, 2, state="CANCELLED")],
        horizon=14,
        starts=[0, 6, 10],
        ends=[6, 10, 13],
        ledger=[
            {
                "PRODUCTIVE_TIMED_OUT": 12,
                "PRODUCTIVE_FAILED": 8,
                "PRODUCTIVE_CANCELLED": 6,
                "IDLE_NO_DEMAND": 2,
            }
        ],
        waits=[{}, {"TOO_FEW_FREE": 6}, {"TOO_FEW_FREE": 10}],
    ),
    Situation(
        "a job past its unenforced limit is expected to end the next millisecond",
        pools=[pool(1, 4)],
        jobs=[job(0, 10, 3, limit=5), job(6, 5, 4), job(6, 1, 1), job(6, 2, 1)],
        policy={"enforce_limits": False},
        horizon=15,
        starts=[0, 10, 6, 15],
        ends=[10, 15, 7, 17],
        # from 0 to 6 one GPU without demand; from 7 to 10 it is held for the head, whose shadow moves on;
        # from 6 to 7 nothing is free, and the last job is refused for that
        ledger=[{"PRODUCTIVE_COMPLETED": 51, "IDLE_NO_DEMAND": 6, "IDLE_HELD_FOR_WAITING_JOB": 3}],
        waits=[{}, {"TOO_FEW_FREE": 4}, {}, {"TOO_FEW_FREE": 6, "HELD_FOR_ANOTHER": 3}],
    ),
    Situation(
        "work shrinks on a faster pool, a hold does not, and a job cut at its limit runs to it",
        pools=[pool(1, 3, speed=1.5)],
        jobs=[job(0, 10, 1), job(0, 10, 1, moves="hold"), job(0, 10, 1, moves="cut", limit=12)],
        horizon=12,
        starts=[0, 0, 0],
        ends=[7, 10, 12],  # 10 / 1.5 = 6.67, rounded up
        ledger=[{"PRODUCTIVE_COMPLETED": 17, "PRODUCTIVE_TIMED_OUT": 12, "IDLE_NO_DEMAND": 7}],
        waits=[{}, {}, {}],
    ),
    Situation(
        "pools are tried in file order",
        pools=[pool(1, 2), pool(1, 4)],
        jobs=[job(0, 10, 2), job(0, 10, 2), job(0, 10, 3), job(0, 5, 2)],
        horizon=20,
        starts=[0, 0, 10, 0],
        ends=[10, 10, 20, 5],
        # at 0 two GPUs of the second pool are too few for the third job; the last takes them, since it ends
        # before the third can start. From 5 to 10 they are free again, and too few
        ledger=[
            {"PRODUCTIVE_COMPLETED": 20, "IDLE_NO_DEMAND": 20},
            {"PRODUCTIVE_COMPLETED": 60, "IDLE_TOO_FEW_FREE": 10, "IDLE_NO_DEMAND": 10},
        ],
        waits=[{}, {}, {"TOO_FEW_FREE": 10}, {}],
    ),
    Situation(
        "what could never run is set aside, named, and in nobody's way",
        pools=[pool(2, 4, model="A", cpus=8), pool(1, 2, model="B")],
        jobs=[
            job(0, 5, 1, models=["C"]),
            job(0, 5, 9),
            job(0, 5, 4, models=["B"]),
            job(0, 5, 6, nodes=3, gpus_per_node=2),
            job(0, 5, 4, cpus=9, models=["A", "C"]),
            job(1, 5, 4),
        ],
        horizon=6,
        starts=[None, None, None, None, None, 1],
        ends=[None, None, None, None, None, 6],
        ledger=[{"PRODUCTIVE_COMPLETED": 20, "IDLE_NO_DEMAND": 28}, {"IDLE_NO_DEMAND": 12}],
        waits=[{}, {}, {}, {}, {}, {}],
        set_aside=[
            "UNKNOWN_GPU_MODEL",
            "TOO_MANY_GPUS",
            "TOO_MANY_GPUS",
            "SHAPE_NEVER_FITS",
            "TOO_MUCH_CPU_OR_MEMORY",
            "NO",
        ],
    ),
    Situation(
        "free GPUs whose CPUs are taken are fragmented",
        pools=[pool(1, 4, cpus=8, memory=100)],
        jobs=[
            job(0, 10, 1, cpus=8),
            job(0, 10, 1, cpus=1),
            job(20, 10, 2, memory=100),
            job(20, 10, 2, memory=1),
        ],
        horizon=40,
        starts=[0, 10, 20, 30],
        ends=[10, 20, 30, 40],
        ledger=[{"PRODUCTIVE_COMPLETED": 60, "IDLE_FRAGMENTED": 50, "IDLE_NO_DEMAND": 50}],
        waits=[{}, {"FRAGMENTED": 10}, {}, {"FRAGMENTED": 10}],
    ),
    Situation(
        "a gang wider than a node takes whole idle nodes, and one more for the rest",
        pools=[pool(3, 4)],
        jobs=[job(0, 10, 2), job(0, 10, 6), job(0, 10, 8)],
        horizon=10,
        starts=[0, 0, 10],
        ends=[10, 10, 20],
        # six: node 1 is the first idle one; the rest goes to node 0, which has the fewest free
        ledger=[{"PRODUCTIVE_COMPLETED": 80, "IDLE_TOO_FEW_FREE": 40}],
        waits=[{}, {}, {"TOO_FEW_FREE": 10}],
        nodes=[[(0, 0b0011)], [(0, 0b1100), (1, 0b1111)], [(0, 0b1111), (1, 0b1111)]],
    ),
    Situation(
        "a stated shape of nodes and GPUs per node is kept, though the GPUs would fit otherwise",
        pools=[pool(3, 4)],
        jobs=[job(0, 10, 3), job(0, 10, 6, nodes=3, gpus_per_node=2), job(0, 5, 4, nodes=4, gpus_per_node=1)],
        horizon=10,
        starts=[0, 10, None],
        ends=[10, 20, None],
        ledger=[{"PRODUCTIVE_COMPLETED": 30, "IDLE_FRAGMENTED": 90}],
        waits=[{}, {"FRAGMENTED": 10}, {}],
        nodes=[[(0, 0b0111)], [(0, 0b0011), (1, 0b0011), (2, 0b0011)], []],
        set_aside=["NO", "NO", "SHAPE_NEVER_FITS"],
    ),
    Situation(
        "worst fit spreads where best fit packs",
        pools=[pool(2, 4)],
        jobs=[job(0, 10, 1), job(0, 10, 1), job(0, 10, 4)],
        policy={"placement": "worst_fit"},
        horizon=10,
        starts=[0, 0, 10],
        ends=[10, 10, 20],
        ledger=[{"PRODUCTIVE_COMPLETED": 20, "IDLE_FRAGMENTED": 60}],
        waits=[{}, {}, {"FRAGMENTED": 10}],
        nodes=[[(0, 0b0001)], [(1, 0b0001)], [(0, 0b1111)]],
    ),
    Situation(
        "counting takes a pool as one bag of GPUs",
        pools=[pool(2, 4, cpus=4)],
        jobs=[job(0, 10, 3), job(0, 10, 3, cpus=8), job(0, 10, 2, nodes=1, gpus_per_node=2)],
        policy={"placement": "count"},
        horizon=10,
        starts=[0, 0, 0],
        ends=[10, 10, 10],
        ledger=[{"PRODUCTIVE_COMPLETED": 80}],
        waits=[{}, {}, {}],
        nodes=[[], [], []],
    ),
    Situation(
        "one pass an instant sees all that was submitted in it",
        pools=[pool(1, 1)],
        jobs=[job(0, 10, 1), job(10, 9, 1), job(10, 5, 1)],
        policy={"order": "sjf"},
        horizon=24,
        starts=[0, 15, 10],
        ends=[10, 24, 15],
        ledger=[{"PRODUCTIVE_COMPLETED": 24}],
        waits=[{}, {"TOO_FEW_FREE": 5}, {}],
    ),
    Situation(
        "a pass after each event starts the first that was submitted",
        pools=[pool(1, 1)],
        jobs=[job(0, 10, 1), job(10, 9, 1), job(10, 5, 1)],
        policy={"order": "sjf", "passes": "event"},
        horizon=24,
        starts=[0, 10, 19],
        ends=[10, 19, 24],
        ledger=[{"PRODUCTIVE_COMPLETED": 24}],
        waits=[{}, {}, {"TOO_FEW_FREE": 9}],
    ),
    Situation(
        "the ledger stops at the horizon, the replay does not",
        pools=[pool(1, 2)],
        jobs=[job(0, 10, 1), job(4, 10, 2)],
        horizon=7,
        starts=[0, 10],
        ends=[10, 20],
        ledger=[{"PRODUCTIVE_COMPLETED": 7, "IDLE_NO_DEMAND": 4, "IDLE_TOO_FEW_FREE": 3}],
        waits=[{}, {"TOO_FEW_FREE": 6}],
    ),
    Situation(
        "on nodes a reservation is a count a node: a long job may use the node that the head leaves alone",
        pools=[pool(2, 4)],
        jobs=[job(0, 10, 3), job(0, 20, 3), job(1, 10, 4), job(2, 50, 1), job(2, 50, 1)],
        policy={"placement": "first_fit"},
        horizon=10,
        starts=[0, 0, 10, 2, 20],
        ends=[10, 20, 20, 52, 70],
        # the head is promised node 0 at 10; one GPU of node 1 is spare, the one of node 0 is held.
        # at 10 the head takes node 0 and node 1 is full; at 20 node 0 is free again
        ledger=[
            {
                "PRODUCTIVE_COMPLETED": 68,
                "IDLE_NO_DEMAND": 2,
                "IDLE_TOO_FEW_FREE": 2,
                "IDLE_HELD_FOR_WAITING_JOB": 8,
            }
        ],
        waits=[{}, {}, {"TOO_FEW_FREE": 9}, {}, {"HELD_FOR_ANOTHER": 8, "TOO_FEW_FREE": 10}],
        nodes=[[(0, 0b0111)], [(1, 0b0111)], [(0, 0b1111)], [(1, 0b1000)], [(0, 0b0001)]],
    ),
]
