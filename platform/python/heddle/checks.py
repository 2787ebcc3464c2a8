# SPDX-License-Identifier: MIT
"""What may be passed on to the library: ctypes cuts an integer to the width of its field and says nothing."""
from __future__ import annotations

import operator
import os
import struct
from typing import Any, Callable, Optional


def _integer(what: str, given: Any, low: int, high: int) -> int:
    """Any object that is an integer, those of NumPy too."""
    try:
        number = operator.index(given)
    except TypeError:
        raise TypeError(f"{what} must be an integer, not {type(given).__name__}") from None
    if not low <= number <= high:
        raise ValueError(f"{what} is {number}, but must be from {low} to {high}")
    return number


def unsigned32(what: str, given: Any) -> int:
    """An address or a size."""
    return _integer(what, given, 0, 2**32 - 1)


def unsigned64(what: str, given: Any) -> int:
    """A time, or another number of 64 bits."""
    return _integer(what, given, 0, 2**64 - 1)


def word(what: str, given: Any) -> int:
    """The 32 bits of an integer, which may be signed or unsigned."""
    return _integer(what, given, -2**31, 2**32 - 1) & 0xFFFFFFFF


def float32(what: str, given: Any) -> bytes:
    """The four bytes of a number as a float."""
    try:
        return struct.pack("<f", given)
    except OverflowError:
        raise OverflowError(f"{what} is {given}, which is beyond the range of a 32-bit float") from None


def text(what: str, given: Any) -> bytes:
    if not isinstance(given, str):
        raise TypeError(f"{what} must be a str, not {type(given).__name__}")
    return given.encode()


def path(what: str, given: Any) -> bytes:
    if not isinstance(given, (str, bytes, os.PathLike)):
        raise TypeError(f"{what} must be a path, not {type(given).__name__}")
    return os.fsencode(given)


def optional(check: Callable[[str, Any], bytes], what: str, given: Any) -> Optional[bytes]:
    """What a check makes of it, unless it is None."""
    return None if given is None else check(what, given)


def paths(what: str, given: Any) -> list[bytes]:
    """Of texts or paths. A single text is a sequence, too, but of letters."""
    if isinstance(given, (str, bytes, os.PathLike)):
        raise TypeError(f"{what} must be a sequence, such as a list, not one {type(given).__name__}")
    return [path(f"each of {what}", one) for one in given]


def function(what: str, given: Any) -> None:
    """One that may be called, or None."""
    if given is not None and not callable(given):
        raise TypeError(f"{what} must be a function, not {type(given).__name__}")
