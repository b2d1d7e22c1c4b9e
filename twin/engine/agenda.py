"""An agenda: (time, tie) pairs kept in order, for the running jobs' ends and for their estimated ends.

A list of blocks, each sorted from late to early, so that the next entry is the last of the last block
and is taken off without moving anything. Inserting or removing moves less than one block.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray  # type: ignore[attr-defined]

from twin.engine.jit import MANY, compiled, integers, pointer

BLOCK = 64
NEVER = 2**62


ENTRY = np.dtype([("time", np.int64), ("tie", np.int64)], align=True)

AGENDA = np.dtype(
    [
        (name, np.int64)
        for name in (
            "entries_at",  # address of (blocks, BLOCK) of ENTRY
            "length_at",  # entries in each block
            "order_at",  # the blocks in use, latest first
            "spare_at",  # a stack of the blocks not in use
            "blocks",
            "used",
        )
    ],
    align=True,
)


def make_agenda(entries: int, agenda: Any) -> tuple[Any, ...]:
    """Fill an AGENDA record with room for ``entries`` at once; the arrays it points to.

    Neighbours are merged, so that any two hold more than a quarter of a block.
    """
    blocks = 8 * entries // BLOCK + 4
    arrays = {
        "entries_at": np.empty((blocks, BLOCK), dtype=ENTRY),
        "length_at": np.zeros(blocks, dtype=np.int64),
        "order_at": np.zeros(blocks, dtype=np.int64),
        "spare_at": np.arange(blocks, dtype=np.int64)[::-1].copy(),
    }
    for name, array in arrays.items():
        agenda[name] = array.ctypes.data
    agenda["blocks"], agenda["used"] = blocks, 0
    return tuple(arrays.values())


@compiled
def entry_at(agenda: Any, place: int, index: int) -> Any:
    """The entry at a position: ``place`` in the order of blocks, ``index`` in the block."""
    block = integers(agenda.order_at)[place]
    return carray(pointer(agenda.entries_at), MANY, ENTRY)[block * BLOCK + index]


@compiled
def _length_at(agenda: Any, place: int) -> int:
    return int(integers(agenda.length_at)[integers(agenda.order_at)[place]])


@compiled
def _set_length(agenda: Any, place: int, length: int) -> None:
    integers(agenda.length_at)[integers(agenda.order_at)[place]] = length


@compiled
def _move(agenda: Any, place: int, index: int, to_place: int, to_index: int) -> None:
    source, target = entry_at(agenda, place, index), entry_at(agenda, to_place, to_index)
    target.time, target.tie = source.time, source.tie


@compiled
def first_time(agenda: Any) -> int:
    """The earliest time, NEVER if empty."""
    place = agenda.used - 1
    if place < 0:
        return NEVER
    return int(entry_at(agenda, place, _length_at(agenda, place) - 1).time)


@compiled
def take_first(agenda: Any) -> int:
    """Take the earliest entry out; its tie."""
    place = agenda.used - 1
    length = _length_at(agenda, place) - 1
    tie: int = entry_at(agenda, place, length).tie
    _set_length(agenda, place, length)
    if length == 0:
        _close_block(agenda, place)
    return tie


@compiled
def _is_after(entry: Any, time: int, tie: int) -> bool:
    return bool(entry.time > time or (entry.time == time and entry.tie > tie))


@compiled
def seek(agenda: Any, time: int, tie: int) -> tuple[int, int]:
    """``(place, index)`` of the latest entry that is not after (time, tie); the place is ``used`` if none."""
    low, high = 0, agenda.used
    while low < high:  # the first block whose earliest entry is not after
        middle = (low + high) >> 1
        if _is_after(entry_at(agenda, middle, _length_at(agenda, middle) - 1), time, tie):
            low = middle + 1
        else:
            high = middle
    place = low
    if place == agenda.used:
        return place, 0
    low, high = 0, _length_at(agenda, place) - 1
    while low < high:
        middle = (low + high) >> 1
        if _is_after(entry_at(agenda, place, middle), time, tie):
            low = middle + 1
        else:
            high = middle
    return place, low


@compiled
def earliest(agenda: Any) -> tuple[int, int]:
    """Position of the earliest entry; the place is -1 if there is none."""
    place = agenda.used - 1
    if place < 0:
        return -1, 0
    return place, _length_at(agenda, place) - 1


@compiled
def step_later(agenda: Any, place: int, index: int) -> tuple[int, int]:
    """The next later position; the place is -1 past the latest."""
    if index > 0:
        return place, index - 1
    if place == 0:
        return -1, 0
    return place - 1, _length_at(agenda, place - 1) - 1


@compiled
def step_earlier(agenda: Any, place: int, index: int) -> tuple[int, int]:
    """The next earlier position; the place is ``used`` past the earliest."""
    if index + 1 < _length_at(agenda, place):
        return place, index + 1
    return place + 1, 0


@compiled
def _open_block(agenda: Any, place: int) -> None:
    """Put a spare block at ``place`` of the order."""
    order, used = integers(agenda.order_at), agenda.used
    for later in range(used, place, -1):
        order[later] = order[later - 1]
    order[place] = integers(agenda.spare_at)[agenda.blocks - 1 - used]
    agenda.used = used + 1
    _set_length(agenda, place, 0)


@compiled
def _close_block(agenda: Any, place: int) -> None:
    order, used = integers(agenda.order_at), agenda.used - 1
    block = order[place]
    for later in range(place, used):
        order[later] = order[later + 1]
    integers(agenda.spare_at)[agenda.blocks - 1 - used] = block
    agenda.used = used


@compiled
def insert(agenda: Any, time: int, tie: int) -> None:
    place, index = seek(agenda, time, tie)
    if place == agenda.used:  # earlier than all others
        if place == 0:
            _open_block(agenda, 0)
        else:
            place -= 1
        index = _length_at(agenda, place)
    if _length_at(agenda, place) == BLOCK:
        half = BLOCK // 2
        _open_block(agenda, place + 1)
        for entry in range(half):
            _move(agenda, place, half + entry, place + 1, entry)
        _set_length(agenda, place, half)
        _set_length(agenda, place + 1, half)
        if index > half:
            place, index = place + 1, index - half
    length = _length_at(agenda, place)
    for entry in range(length, index, -1):
        _move(agenda, place, entry - 1, place, entry)
    made = entry_at(agenda, place, index)
    made.time, made.tie = time, tie
    _set_length(agenda, place, length + 1)


@compiled
def remove(agenda: Any, time: int, tie: int) -> None:
    """Take an entry out; it must be there."""
    place, index = seek(agenda, time, tie)
    length = _length_at(agenda, place) - 1
    for entry in range(index, length):
        _move(agenda, place, entry + 1, place, entry)
    _set_length(agenda, place, length)
    if length == 0:
        _close_block(agenda, place)
    elif length < BLOCK // 4:
        _merge(agenda, place)


@compiled
def _merge(agenda: Any, place: int) -> None:
    """Join a block that runs low to a neighbour with room: the number of blocks stays in bounds."""
    if place > 0 and _length_at(agenda, place - 1) <= BLOCK // 2:
        place -= 1
    elif place + 1 >= agenda.used or _length_at(agenda, place + 1) > BLOCK // 2:
        return
    length, more = _length_at(agenda, place), _length_at(agenda, place + 1)
    for entry in range(more):
        _move(agenda, place + 1, entry, place, length + entry)
    _set_length(agenda, place, length + more)
    _close_block(agenda, place + 1)
