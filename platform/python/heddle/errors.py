# SPDX-License-Identifier: MIT
"""A class for each HEDDLE_ERROR_* of heddle.h, whose comments say what it means."""
from __future__ import annotations


class Error(Exception):
    """What a call of the library returned. code: HEDDLE_ERROR_*."""

    code = 0


class ArgumentError(Error, ValueError):
    code = 1


class HandleError(Error):
    code = 2


class BusyError(Error):
    code = 3


class NetlistError(Error):
    code = 4


class FileError(Error, OSError):
    code = 5


class KernelsError(Error):
    code = 6


class UnknownError(Error, LookupError):
    code = 7


class DeviceMemoryError(Error):
    code = 8


class RangeError(Error, IndexError):
    code = 9


class FreedError(Error):
    code = 10


class QueuesError(Error):
    code = 11


class TimeError(Error):
    code = 12


class HostMemoryError(Error, MemoryError):
    code = 13


class DeviceError(Error):
    code = 14


class FaultError(Error):
    code = 15


class DeadlockError(Error):
    code = 16


class LivelockError(Error):
    code = 17


class LimitError(Error):
    code = 18


class LaunchError(Error):
    code = 19


class HostError(Error):
    code = 20


class AppError(Error):
    code = 21


class InterruptedCallError(Error):
    """Not raised: Machine.call goes on."""

    code = 22


_CLASSES: dict[int, type[Error]] = {found.code: found for found in Error.__subclasses__()}


def of_code(code: int, message: str) -> Error:
    """The exception for what a call returned."""
    return _CLASSES.get(code, Error)(message)
