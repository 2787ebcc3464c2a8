# SPDX-License-Identifier: MIT
"""Memory: of Python objects, as they are (the buffer protocol; NumPy arrays have it), and of the device."""
from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int, c_ssize_t, c_void_p, py_object
from types import TracebackType
from typing import TYPE_CHECKING, Any, Optional

from . import checks, errors

if TYPE_CHECKING:
    from .machine import Machine

_WRITABLE = 1


class _View(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [("buf", c_void_p), ("obj", c_void_p), ("len", c_ssize_t), ("itemsize", c_ssize_t),
                ("readonly", c_int), ("ndim", c_int), ("format", c_char_p), ("shape", c_void_p),
                ("strides", c_void_p), ("suboffsets", c_void_p), ("internal", c_void_p)]


_get = ctypes.pythonapi.PyObject_GetBuffer
_get.argtypes, _get.restype = [py_object, ctypes.POINTER(_View), c_int], c_int
_release = ctypes.pythonapi.PyBuffer_Release
_release.argtypes, _release.restype = [ctypes.POINTER(_View)], None


class Pinned:
    """The memory of an object, where it is: contiguous, and not moved or freed before this is released."""

    def __init__(self, given: Any, is_written: bool = False) -> None:
        self._view = _View()
        _get(given, ctypes.byref(self._view), _WRITABLE if is_written else 0)
        self.address: Optional[int] = self._view.buf
        self.bytes: int = self._view.len

    def release(self) -> None:
        _release(ctypes.byref(self._view))


class Buffer:
    """An allocation of device memory. Freed by free(), by `with`, and when the machine is closed."""

    def __init__(self, machine: Machine, address: int, size: int) -> None:
        self.machine, self.address, self.bytes = machine, address, size
        self._is_freed = False

    def place(self, offset: int = 0) -> int:
        """The address of a byte of it. Not once it is freed: by then the address may be another buffer's."""
        if self._is_freed:
            raise errors.FreedError(f"0x{self.address:08x} has already been freed")
        return checks.unsigned32("address + offset", self.address + checks.unsigned32("offset", offset))

    def free(self) -> None:
        self.machine.call("free", self.machine.handle, self.place())
        self._is_freed = True

    def write(self, data: Any, offset: int = 0) -> None:
        """Copies an object's memory to the device, and waits."""
        self.machine.copy_to_device(self.place(offset), data)

    def read_into(self, data: Any, offset: int = 0) -> None:
        """Copies from the device into an object's memory, as much as that has, and waits."""
        self.machine.copy_from_device(data, self.place(offset))

    def read(self) -> bytearray:
        """All of it."""
        data = bytearray(self.bytes)
        self.read_into(data)
        return data

    def fill(self, value: int) -> None:
        """Sets every byte, and waits."""
        self.machine.call("fill", self.machine.handle, self.place(), checks.word("value", value), self.bytes)

    def map(self, read: bool = True, write: bool = True) -> Mapping:
        """Memory of the process that stands for the buffer: `with buffer.map() as memory:`."""
        return Mapping(self, read, write)

    def __enter__(self) -> Buffer:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if not self.machine.is_closed:
            self.free()


class Mapping:
    """Inside `with` a memoryview of bytes, for numpy.frombuffer: read from the device before, written to it behind. It stays valid memory
    afterwards, which the device does not see."""

    def __init__(self, buffer: Buffer, read: bool, write: bool) -> None:
        self._buffer, self._read, self._write = buffer, read, write
        self._memory = bytearray(buffer.bytes)

    def __enter__(self) -> memoryview:
        if self._read:
            self._buffer.read_into(self._memory)
        return memoryview(self._memory)

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        if self._write and kind is None:
            self._buffer.write(self._memory)
