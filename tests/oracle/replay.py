"""The oracle: a scheduler simulator as plain as we can write it.

It shares no code with ``twin`` and has no state but the list of who runs where: free GPUs, reservations and
spare GPUs are worked out anew from that list whenever they are needed. Slow, and meant to be read.

``replay(jobs, pools, policy)`` takes lists of dicts and a dict:

- a job: ``submit``, ``run``, ``gpus``; optional ``eligible``, ``limit``, ``nodes``, ``gpus_per_node``,
  ``cpus``, ``memory``, ``priority``, ``models`` (a list), ``moves`` (``"work"``, ``"hold"`` or ``"cut"``);
- a pool: ``nodes``, ``gpus``, and optional ``cpus``, ``memory`` (all three a node), ``model``, ``speed``;
- the policy: ``order``, ``backfill``, ``depth``, ``placement``, ``shape``, ``passes``, ``enforce_limits``.

Times are whole milliseconds; CPUs and memory of zero or absent are "not given".
"""

UNLIMITED = 10**15


def replay(jobs, pools, policy):
    """Return (starts, ends, pools) as lists with an entry a job; None where a job could never run."""
    possible = [row for row in range(len(jobs)) if could_ever_run(jobs[row], pools, policy)]
    submitted, queue, running, starts, ends, homes = set(), [], {}, {}, {}, {}
    while True:
        instants = [job["end"] for job in running.values()]
        instants += [eligible_time(jobs[row]) for row in submitted if row not in queue and row not in starts]
        instants += [jobs[row]["submit"] for row in possible if row not in submitted]
        if not instants:
            break
        now = min(instants)
        finishing = sorted(row for row in running if running[row]["end"] == now)
        ripening = [
            row
            for row in possible
            if row in submitted and row not in queue and row not in starts and eligible_time(jobs[row]) == now
        ]
        arriving = [row for row in possible if row not in submitted and jobs[row]["submit"] == now]
        events = (
            [("finish", row) for row in finishing]
            + [("eligible", row) for row in ripening]
            + [("submit", row) for row in arriving]
        )
        for number, (kind, row) in enumerate(events):
            if kind == "finish":
                del running[row]
            if kind == "submit":
                submitted.add(row)
            if kind == "eligible" or (kind == "submit" and eligible_time(jobs[row]) <= now):
                queue.append(row)
            if policy["passes"] == "instant" and number < len(events) - 1:
                continue
            for started in scheduling_pass(now, jobs, pools, policy, queue, running):
                queue.remove(started)
                starts[started], ends[started] = now, running[started]["end"]
                homes[started] = running[started]["pool"]
    return tuple([found.get(row) for row in range(len(jobs))] for found in (starts, ends, homes))


def scheduling_pass(now, jobs, pools, policy, queue, running):
    """Walk the queue in order, add what starts to ``running``, and return the rows that started."""
    started, past_the_head, looked_past, reservation = [], False, 0, None
    for row in sorted(queue, key=lambda row: order_key(row, jobs[row], policy)):
        job = jobs[row]
        if past_the_head:
            if policy["backfill"] == "strict":
                break
            if policy["depth"] is not None and looked_past == policy["depth"]:
                break
            looked_past += 1
        found = find_place(now, job, pools, policy, running, reservation)
        if found is not None:
            pool, parts = found
            length = run_length(job, pools[pool])
            limit = job.get("limit")
            cut = policy["enforce_limits"] and limit is not None and limit < length
            running[row] = {
                "pool": pool,
                "use": {node: part_needs(job, count) for node, count in parts},
                "end": now + (limit if cut else length),
                "estimate": now + estimate(job, pools[pool]),
            }
            started.append(row)
            continue
        past_the_head = True
        if policy["backfill"] == "easy" and reservation is None:
            reservation = reserve(now, job, pools, policy, running)
    return started


def order_key(row, job, policy):
    first = {
        "fifo": 0,
        "priority": -job.get("priority", 0),
        "sjf": job["run"] if job.get("limit") is None else job["limit"],
    }[policy["order"]]
    return first, job["submit"], row


def eligible_time(job):
    return max(job["submit"], job.get("eligible", 0))


def run_length(job, pool):
    moves = job.get("moves", "work")
    if moves == "hold":
        return job["run"]
    if moves == "cut":
        return job["run"] if job.get("limit") is None else job["limit"]
    parts_per_million = max(1, round(pool.get("speed", 1.0) * 1_000_000))
    return -(-job["run"] * 1_000_000 // parts_per_million)


def estimate(job, pool):
    return run_length(job, pool) if job.get("limit") is None else job["limit"]


# --- Reservations -------------------------------------------------------------------------------------------


def believed_end(now, job):
    """When a running job is expected to be gone: it is still here, so the next millisecond or later."""
    return max(job["estimate"], now + 1)


def reserve(now, job, pools, policy, running):
    """The earliest expected release at which ``job`` fits, where, and what it needs on each node; or None."""
    for shadow in sorted({believed_end(now, other) for other in running.values()}):
        still_there = [other for other in running.values() if believed_end(now, other) > shadow]
        for number, pool in enumerate(pools):
            parts = place(job, pool, policy, free_nodes(number, pool, policy, still_there))
            if parts is not None and accepts(job, pool):
                needs = {node: part_needs(job, count) for node, count in parts}
                return {"shadow": shadow, "pool": number, "needs": needs}
    return None


def find_place(now, job, pools, policy, running, reservation):
    """(pool number, parts) for a job to start now without delaying the reservation; None if nowhere."""
    for number, pool in enumerate(pools):
        if not accepts(job, pool):
            continue
        free = free_nodes(number, pool, policy, running.values())
        if reservation is not None and now + estimate(job, pool) > reservation["shadow"]:
            free = without_reserved(now, number, pool, policy, running, reservation, free)
        parts = place(job, pool, policy, free)
        if parts is not None:
            return number, parts
    return None


def without_reserved(now, number, pool, policy, running, reservation, free):
    """What is free now and still spare at the shadow time, node by node."""
    shadow = reservation["shadow"]
    still_there = [other for other in running.values() if believed_end(now, other) > shadow]
    spare = free_nodes(number, pool, policy, still_there)
    if number == reservation["pool"]:
        for node, needs in reservation["needs"].items():
            spare[node] = [have - need for have, need in zip(spare[node], needs, strict=True)]
    return [[min(pair) for pair in zip(*both, strict=True)] for both in zip(free, spare, strict=True)]


# --- Placement ----------------------------------------------------------------------------------------------


def empty_nodes(pool, policy):
    """[GPUs, CPUs, memory] a node of an empty pool; counting makes one big node of the whole pool."""
    nodes = pool["nodes"]
    node = [pool["gpus"], pool.get("cpus") or UNLIMITED, pool.get("memory") or UNLIMITED]
    if policy["placement"] == "count":
        return [[amount * nodes for amount in node]]
    return [list(node) for _ in range(nodes)]


def free_nodes(number, pool, policy, occupants):
    """[GPUs, CPUs, memory] free on each node of a pool while ``occupants`` run."""
    free = empty_nodes(pool, policy)
    for job in occupants:
        if job["pool"] == number:
            for node, needs in job["use"].items():
                free[node] = [have - need for have, need in zip(free[node], needs, strict=True)]
    return free


def part_needs(job, count):
    """[GPUs, CPUs, memory] that ``count`` of a job's GPUs need on their node."""
    gpus = job["gpus"]
    return [count, -(-job.get("cpus", 0) * count // gpus), -(-job.get("memory", 0) * count // gpus)]


def carries(job, count, node):
    return all(need <= have for need, have in zip(part_needs(job, count), node, strict=True))


def accepts(job, pool):
    return job.get("models") is None or pool.get("model") in job["models"]


def could_ever_run(job, pools, policy):
    return any(
        accepts(job, pool) and place(job, pool, policy, empty_nodes(pool, policy)) is not None
        for pool in pools
    )


def place(job, pool, policy, free):
    """Where a whole gang goes in one pool, as [(node, GPUs)]; None if it does not fit."""
    gpus, per_node = job["gpus"], pool["gpus"]
    if policy["placement"] == "count":
        return place_equal(job, 1, gpus, policy, free)
    if job.get("nodes") or job.get("gpus_per_node"):
        nodes = job.get("nodes") or gpus // job["gpus_per_node"]
        return place_equal(job, nodes, gpus // nodes, policy, free)
    if policy["shape"] == "scatter":
        return place_scattered(job, policy, free)
    if gpus <= per_node:
        return place_equal(job, 1, gpus, policy, free)
    whole, rest = divmod(gpus, per_node)
    idle = [n for n, node in enumerate(free) if node[0] == per_node and carries(job, per_node, node)][:whole]
    if len(idle) < whole:
        return None
    last = place_equal(job, 1, rest, policy, free, but=idle) if rest else []
    return None if last is None else [(node, per_node) for node in idle] + last


def in_order(policy, free):
    """Node numbers in the order in which the placement rule likes them."""
    sign = {"count": 0, "first_fit": 0, "best_fit": 1, "worst_fit": -1}[policy["placement"]]
    return sorted(range(len(free)), key=lambda node: (sign * free[node][0], node))


def place_equal(job, nodes, count, policy, free, but=()):
    """``nodes`` distinct nodes with ``count`` GPUs each."""
    able = [n for n in in_order(policy, free) if n not in but and carries(job, count, free[n])]
    return [(node, count) for node in able[:nodes]] if len(able) >= nodes else None


def place_scattered(job, policy, free):
    """Any free GPUs: each node in turn gives as many as it has and its CPUs and memory carry."""
    parts, wanted = [], job["gpus"]
    for node in in_order(policy, free):
        count = min(wanted, free[node][0])
        while count > 0 and not carries(job, count, free[node]):
            count -= 1
        if count > 0:
            parts.append((node, count))
            wanted -= count
    return parts if wanted == 0 else None
