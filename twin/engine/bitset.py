"""Sets of small integers as bits, 64 to a word, with summary words above: the compiled engine's index.

A set of members below ``capacity`` takes ``set_words(capacity)`` words from ``base`` of the array at an
address: one bit a member, then one bit for each word that is not zero, and so on up to a single word.
Adding and removing are O(1) in practice, the next member is found without looking at empty stretches.
Words are int64, because mixing signed and unsigned integers makes floats in compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from twin.engine.jit import compiled, integers


def set_words(capacity: int) -> int:
    """Words that a set needs, summaries included."""
    words, size = 0, max(1, capacity)
    while True:
        size = (size + 63) // 64
        words += size
        if size == 1:
            return words


def _lowest_bit(_typing: Any, word: Any) -> Any:  # noqa: ARG001 (numba binds arguments by name)
    """Index of the lowest bit that is set; the word must not be zero."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


lowest_bit: Callable[[int], int] = cast("Any", intrinsic(_lowest_bit))


@compiled
def add_member(address: int, base: int, capacity: int, member: int) -> None:
    words = integers(address)
    size, at = capacity, member
    while True:
        size = (size + 63) >> 6
        word = base + (at >> 6)
        before = words[word]
        words[word] = before | (1 << (at & 63))
        if before != 0 or size == 1:
            return
        base += size
        at >>= 6


@compiled
def remove_member(address: int, base: int, capacity: int, member: int) -> None:
    words = integers(address)
    size, at = capacity, member
    while True:
        size = (size + 63) >> 6
        word = base + (at >> 6)
        after = words[word] & ~(1 << (at & 63))
        words[word] = after
        if after != 0 or size == 1:
            return
        base += size
        at >>= 6


@compiled
def next_member(address: int, base: int, capacity: int, start: int) -> int:
    """The smallest member >= start, or -1."""
    words = integers(address)
    size, at, level = capacity, start, 0
    while True:
        size = (size + 63) >> 6
        index = at >> 6
        if index >= size:
            return -1
        word = words[base + index] & (-1 << (at & 63))
        if word != 0:
            break
        if size == 1:
            return -1
        base += size
        at = index + 1
        level += 1
    at = (index << 6) + lowest_bit(word)
    while level > 0:
        shift = 6 * level
        base -= (capacity + (1 << shift) - 1) >> shift
        level -= 1
        at = (at << 6) + lowest_bit(words[base + at])
    return at
