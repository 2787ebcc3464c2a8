# SPDX-License-Identifier: MIT
"""A machine of Heddle inside a Python program, which acts as its host: heddle.h in terms of Python (docs/embedding.md)."""
from .buffers import Buffer, Mapping
from .errors import (AppError, ArgumentError, BusyError, DeadlockError, DeviceError, Error, FaultError, FileError,
                     FreedError, HandleError, HostError, HostMemoryError, KernelsError, LaunchError, LimitError,
                     LivelockError, DeviceMemoryError, NetlistError, QueuesError, RangeError, TimeError, UnknownError)
from .library import version
from .machine import Limits, Machine, Trace
from .queues import Event, Kernel, Launch, Program, Queue

__version__ = version()
__all__ = ["AppError", "ArgumentError", "Buffer", "BusyError", "DeadlockError", "DeviceError", "DeviceMemoryError",
           "Error", "Event", "FaultError", "FileError", "FreedError", "HandleError", "HostError", "HostMemoryError",
           "Kernel", "KernelsError", "Launch", "LaunchError", "LimitError", "Limits", "LivelockError", "Machine",
           "Mapping", "NetlistError", "Program", "Queue", "QueuesError", "RangeError", "TimeError", "Trace",
           "UnknownError", "version"]
