"""An agenda: (time, tie) pairs kept in order, for the running jobs' ends and for their estimated ends.

A list of blocks, each sorted from late to early, so that the next entry is the last of the last block
and is taken off without moving anything. Inserting or removing moves less than one block.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from twin.engine.jit import compiled

BLOCK = 64
NEVER = 2**62


class Agenda(NamedTuple):
    """``time`` and ``tie`` have shape (blocks, BLOCK); ``order`` lists the blocks in use, latest first."""

    time: Any
    tie: Any
    length: Any
    order: Any
    spare: Any  # a stack of blocks not in use
    used: Any  # shape (1,): how many blocks are in use


def make_agenda(entries: int) -> Agenda:
    """Room for ``entries`` at once: neighbours are merged, so two of them hold a quarter block at least."""
    blocks = 8 * entries // BLOCK + 4
    return Agenda(
        time=np.empty((blocks, BLOCK), dtype=np.int64),
        tie=np.empty((blocks, BLOCK), dtype=np.int64),
        length=np.zeros(blocks, dtype=np.int64),
        order=np.zeros(blocks, dtype=np.int64),
        spare=np.arange(blocks, dtype=np.int64)[::-1].copy(),
        used=np.zeros(1, dtype=np.int64),
    )


@compiled
def first_time(agenda: Any) -> int:
    """The earliest time, NEVER if empty."""
    used = agenda.used[0]
    if used == 0:
        return NEVER
    block = agenda.order[used - 1]
    return int(agenda.time[block, agenda.length[block] - 1])


@compiled
def take_first(agenda: Any) -> int:
    """Take the earliest entry out; its tie."""
    place = agenda.used[0] - 1
    block = agenda.order[place]
    length = agenda.length[block] - 1
    agenda.length[block] = length
    if length == 0:
        _close_block(agenda, place)
    return int(agenda.tie[block, length])


@compiled
def seek(agenda: Any, time: int, tie: int) -> tuple[int, int]:
    """``(place, index)`` of the latest entry that is not after (time, tie); the place is ``used`` if none."""
    low, high = 0, agenda.used[0]
    while low < high:  # the first block whose earliest entry is not after
        middle = (low + high) >> 1
        block = agenda.order[middle]
        last = agenda.length[block] - 1
        at = agenda.time[block, last]
        if at > time or (at == time and agenda.tie[block, last] > tie):
            low = middle + 1
        else:
            high = middle
    place = low
    if place == agenda.used[0]:
        return place, 0
    block = agenda.order[place]
    low, high = 0, agenda.length[block] - 1
    while low < high:
        middle = (low + high) >> 1
        at = agenda.time[block, middle]
        if at > time or (at == time and agenda.tie[block, middle] > tie):
            low = middle + 1
        else:
            high = middle
    return place, low


@compiled
def earliest(agenda: Any) -> tuple[int, int]:
    """Position of the earliest entry; the place is -1 if there is none."""
    place = agenda.used[0] - 1
    if place < 0:
        return -1, 0
    return place, agenda.length[agenda.order[place]] - 1


@compiled
def step_later(agenda: Any, place: int, index: int) -> tuple[int, int]:
    """The next later position; the place is -1 past the latest."""
    if index > 0:
        return place, index - 1
    if place == 0:
        return -1, 0
    return place - 1, agenda.length[agenda.order[place - 1]] - 1


@compiled
def step_earlier(agenda: Any, place: int, index: int) -> tuple[int, int]:
    """The next earlier position; the place is ``used`` past the earliest."""
    if index + 1 < agenda.length[agenda.order[place]]:
        return place, index + 1
    return place + 1, 0


@compiled
def _open_block(agenda: Any, place: int) -> int:
    """A spare block put at ``place`` of the order."""
    used = agenda.used[0]
    block: int = agenda.spare[len(agenda.spare) - 1 - used]
    for later in range(used, place, -1):
        agenda.order[later] = agenda.order[later - 1]
    agenda.order[place] = block
    agenda.length[block] = 0
    agenda.used[0] = used + 1
    return block


@compiled
def _close_block(agenda: Any, place: int) -> None:
    used = agenda.used[0] - 1
    block = agenda.order[place]
    for later in range(place, used):
        agenda.order[later] = agenda.order[later + 1]
    agenda.used[0] = used
    agenda.spare[len(agenda.spare) - 1 - used] = block


@compiled
def insert(agenda: Any, time: int, tie: int) -> None:
    place, index = seek(agenda, time, tie)
    if place == agenda.used[0]:  # earlier than all others
        if place == 0:
            _open_block(agenda, 0)
        else:
            place -= 1
        index = agenda.length[agenda.order[place]]
    block = agenda.order[place]
    if agenda.length[block] == BLOCK:
        half = BLOCK // 2
        other = _open_block(agenda, place + 1)
        for entry in range(half):
            agenda.time[other, entry] = agenda.time[block, half + entry]
            agenda.tie[other, entry] = agenda.tie[block, half + entry]
        agenda.length[block] = half
        agenda.length[other] = half
        if index > half:
            block, index = other, index - half
    for entry in range(agenda.length[block], index, -1):
        agenda.time[block, entry] = agenda.time[block, entry - 1]
        agenda.tie[block, entry] = agenda.tie[block, entry - 1]
    agenda.time[block, index] = time
    agenda.tie[block, index] = tie
    agenda.length[block] += 1


@compiled
def remove(agenda: Any, time: int, tie: int) -> None:
    """Take an entry out; it must be there."""
    place, index = seek(agenda, time, tie)
    block = agenda.order[place]
    length = agenda.length[block] - 1
    for entry in range(index, length):
        agenda.time[block, entry] = agenda.time[block, entry + 1]
        agenda.tie[block, entry] = agenda.tie[block, entry + 1]
    agenda.length[block] = length
    if length == 0:
        _close_block(agenda, place)
    elif length < BLOCK // 4:
        _merge(agenda, place)


@compiled
def _merge(agenda: Any, place: int) -> None:
    """Join a block that runs low to a neighbour with room: the number of blocks stays in bounds."""
    if place > 0 and agenda.length[agenda.order[place - 1]] <= BLOCK // 2:
        place -= 1
    elif place + 1 >= agenda.used[0] or agenda.length[agenda.order[place + 1]] > BLOCK // 2:
        return
    block, other = agenda.order[place], agenda.order[place + 1]
    at = agenda.length[block]
    for entry in range(agenda.length[other]):
        agenda.time[block, at + entry] = agenda.time[other, entry]
        agenda.tie[block, at + entry] = agenda.tie[other, entry]
    agenda.length[block] = at + agenda.length[other]
    _close_block(agenda, place + 1)
