# SPDX-License-Identifier: MIT
"""Programs and their kernels, launches, queues and events. What heddle.h says of a function holds for its method."""
from __future__ import annotations

import ctypes
import numbers
import struct
from collections.abc import Iterable
from ctypes import byref, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from . import checks, library
from .buffers import Buffer, Pinned

if TYPE_CHECKING:
    from .machine import Machine

Extent = Union[int, Sequence[int]]


def _three(what: str, extent: Extent) -> list[int]:
    sizes = list(extent) if isinstance(extent, Iterable) else [extent]
    if not 1 <= len(sizes) <= 3:
        raise ValueError("a size has one, two or three dimensions")
    return [checks.unsigned32(what, size) for size in sizes] + [1] * (3 - len(sizes))


def _word(argument: Any) -> bytes:
    """An argument of four bytes: the address of a buffer, a float, or an integer."""
    if isinstance(argument, Buffer):
        return struct.pack("<I", argument.place())
    if isinstance(argument, numbers.Real) and not hasattr(argument, "__index__"):  # those of NumPy too
        return checks.float32("a kernel argument", argument)
    return struct.pack("<I", checks.word("a kernel argument", argument))


class Program:
    """A kernel program in device memory, until it is unloaded or the machine is closed."""

    def __init__(self, machine: Machine, handle: c_void_p) -> None:
        self.machine, self.handle = machine, handle

    def kernel(self, name: str) -> Kernel:
        made = c_void_p()
        self.machine.call("program_kernel", self.handle, name.encode(), byref(made))
        return Kernel(self.machine, made, name)

    def variable(self, name: str) -> tuple[int, int]:
        """Address and size."""
        address, size = c_uint32(), c_uint64()
        self.machine.call("program_variable", self.handle, name.encode(), byref(address), byref(size))
        return address.value, size.value

    def unload(self) -> None:
        self.machine.call("program_unload", self.handle)


class Kernel:
    """kernel(grid, block, *arguments) launches it in the default queue."""

    def __init__(self, machine: Machine, handle: c_void_p, name: str) -> None:
        self.machine, self.handle, self.name = machine, handle, name

    def __call__(self, grid: Extent, block: Extent, *arguments: Any, scratchpad: int = 0,
                 queue: Optional[Queue] = None) -> Launch:
        """Each argument takes four bytes of the kernel's argument block: a Buffer, an int or a float; or give the block as bytes."""
        packed = bytes(arguments[0]) if len(arguments) == 1 and isinstance(arguments[0], (bytes, bytearray)) else (
            b"".join(map(_word, arguments)))
        size, number = library.Size(scratchpad_bytes=checks.unsigned32("scratchpad", scratchpad)), c_uint32()
        size.grid[:], size.block[:] = _three("grid", grid), _three("block", block)
        into = queue or self.machine.default_queue
        self.machine.call("launch", into.handle, self.handle, byref(size), packed or None, len(packed), byref(number))
        return Launch(self.machine, number.value)


class Launch:
    """A launch by its number."""

    def __init__(self, machine: Machine, number: int) -> None:
        self.machine, self.number = machine, number

    def wait(self) -> None:
        self.machine.call("launch_wait", self.machine.handle, self.number)

    def _record(self) -> library.LaunchRecord:
        record = library.LaunchRecord()
        self.machine.call("launch_info", self.machine.handle, self.number, byref(record))
        return record

    @property
    def is_complete(self) -> bool:
        return bool(self._record().is_complete)

    @property
    def cycles(self) -> int:
        """Of the command processor's clock; 0 before it is complete."""
        record = self._record()
        return int(record.end_cycle - record.start_cycle) if record.is_complete else 0

    @property
    def times(self) -> dict[str, int]:
        """heddle_launch_times: appended, submitted, began, ended, finished."""
        times = library.LaunchTimes(struct_bytes=ctypes.sizeof(library.LaunchTimes))
        self.machine.call("launch_times_get", self.machine.handle, self.number, byref(times))
        return {name: getattr(times, name) for name, _ in library.LaunchTimes._fields_[1:]}


class Queue:
    """Operations in order. An object whose memory a copy uses stays as it is until the queue is waited for."""

    def __init__(self, machine: Machine, handle: c_void_p) -> None:
        self.machine, self.handle = machine, handle

    def _pin(self, data: Any, is_written: bool) -> Pinned:
        return self.machine.pin(self.handle.value, data, is_written)

    def write(self, to: Buffer, data: Any, offset: int = 0) -> None:
        address, pinned = to.place(offset), self._pin(data, False)
        self.machine.call("queue_copy_to_device", self.handle, address, pinned.address, pinned.bytes)

    def read_into(self, data: Any, source: Buffer, offset: int = 0) -> None:
        address, pinned = source.place(offset), self._pin(data, True)
        self.machine.call("queue_copy_from_device", self.handle, pinned.address, address, pinned.bytes)

    def fill(self, to: Buffer, value: int) -> None:
        self.machine.call("queue_fill", self.handle, to.place(), checks.word("value", value), to.bytes)

    def copy(self, to: Buffer, source: Buffer, size: int) -> None:
        """On the device."""
        self.machine.call("queue_copy_on_device", self.handle, to.place(), source.place(), checks.unsigned32("size", size))

    def call(self, function: Callable[[int], None]) -> None:
        """Calls it with the time when everything before is done; what is behind waits for it."""
        guarded = library.CALL(lambda _, time: self.machine.guarded(function, time))
        self.machine.keep(guarded)
        self.machine.call("queue_call", self.handle, guarded, None)

    def wait_for(self, event: Event) -> None:
        """What comes behind waits for the event."""
        self.machine.call("queue_wait_event", self.handle, event.handle)

    def wait(self) -> None:
        self.machine.call("queue_wait", self.handle)
        self.machine.release(self.handle.value)

    @property
    def is_done(self) -> bool:
        done = c_uint32()
        self.machine.call("queue_poll", self.handle, byref(done))
        return bool(done.value)

    def destroy(self) -> None:
        self.machine.call("queue_destroy", self.handle)
        self.machine.release(self.handle.value)


class Event:
    """A point in a queue."""

    def __init__(self, machine: Machine, handle: c_void_p) -> None:
        self.machine, self.handle = machine, handle

    def record(self, queue: Queue) -> None:
        self.machine.call("event_record", self.handle, queue.handle)

    def wait(self) -> None:
        self.machine.call("event_wait", self.handle)

    def poll(self) -> tuple[bool, int]:
        """Is it done; and when was it last?"""
        done, time = c_uint32(), c_uint64()
        self.machine.call("event_poll", self.handle, byref(done), byref(time))
        return bool(done.value), time.value

    def destroy(self) -> None:
        self.machine.call("event_destroy", self.handle)
