# SPDX-License-Identifier: MIT
"""libheddle.so by ctypes: where it is, its structures, and its functions as heddle.h declares them."""
from __future__ import annotations

import ctypes
import os
import pathlib
from ctypes import POINTER, c_char_p, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from . import checks, errors

PRINT = ctypes.CFUNCTYPE(None, c_void_p, c_char_p)
LOG = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_uint64, c_char_p, c_char_p)
FINISHED = ctypes.CFUNCTYPE(None, c_void_p, c_uint32, c_uint64)
CALL = ctypes.CFUNCTYPE(None, c_void_p, c_uint64)
TEXTS = POINTER(c_char_p)


class Callbacks(ctypes.Structure):
    _fields_ = [("context", c_void_p), ("print", PRINT), ("log", LOG), ("finished", FINISHED)]


class TraceSettings(ctypes.Structure):
    _fields_ = [("perfetto", c_char_p), ("vcd", c_char_p), ("units", TEXTS), ("unit_count", c_size_t),
                ("events", TEXTS), ("event_count", c_size_t), ("kernels", TEXTS), ("kernel_count", c_size_t),
                ("from_", c_uint64), ("to", c_uint64), ("limit", c_uint64), ("picoseconds", c_uint32),
                ("reserved", c_uint32)]


class Settings(ctypes.Structure):
    _fields_ = [("struct_bytes", c_size_t), ("netlist", c_char_p), ("overrides", TEXTS), ("override_count", c_size_t),
                ("plugins", TEXTS), ("plugin_count", c_size_t), ("name", c_char_p), ("seed", c_uint64),
                ("threads", c_uint32), ("checks", c_uint32), ("grain", c_uint64), ("callbacks", Callbacks),
                ("app", c_char_p), ("firmware", c_char_p), ("tlm", c_uint32), ("profile", c_uint32),
                ("series", c_char_p), ("series_statistics", TEXTS), ("series_statistic_count", c_size_t),
                ("trace", TraceSettings), ("patience", c_uint32), ("reserved", c_uint32)]


class LimitsRecord(ctypes.Structure):
    _fields_ = [("struct_bytes", c_size_t), ("memory_bytes", c_uint64), ("free_bytes", c_uint64),
                ("clock_period", c_uint64), ("cores", c_uint32), ("lanes", c_uint32), ("warps_per_core", c_uint32),
                ("blocks_per_core", c_uint32), ("threads_per_block", c_uint32), ("scratchpad_bytes", c_uint32),
                ("argument_bytes", c_uint32), ("queues", c_uint32), ("copies_by_dma", c_uint32),
                ("reserved", c_uint32), ("cache_bytes", c_uint64)]


class Size(ctypes.Structure):
    _fields_ = [("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("scratchpad_bytes", c_uint32)]


class LaunchRecord(ctypes.Structure):
    _fields_ = [("is_complete", c_uint32), ("queue", c_uint32), ("start_cycle", c_uint64), ("end_cycle", c_uint64)]


class LaunchTimes(ctypes.Structure):
    _fields_ = [("struct_bytes", c_size_t), ("appended", c_uint64), ("submitted", c_uint64), ("began", c_uint64),
                ("ended", c_uint64), ("finished", c_uint64)]


class Statistic(ctypes.Structure):
    _fields_ = [("block", c_char_p), ("name", c_char_p), ("unit", c_char_p), ("doc", c_char_p),
                ("is_maximum", c_uint32), ("reserved", c_uint32), ("value", c_uint64)]


HANDLE, OUT, WORD, LONG, WORD_OUT, LONG_OUT = (c_void_p, POINTER(c_void_p), c_uint32, c_uint64, POINTER(c_uint32),
                                               POINTER(c_uint64))
_FUNCTIONS: dict[str, list[Any]] = {
    "open": [POINTER(Settings), OUT], "close": [HANDLE], "limits_get": [HANDLE, POINTER(LimitsRecord)],
    "allocate": [HANDLE, LONG, WORD_OUT], "free": [HANDLE, WORD],
    "copy_to_device": [HANDLE, WORD, c_void_p, c_size_t], "copy_from_device": [HANDLE, c_void_p, WORD, c_size_t],
    "fill": [HANDLE, WORD, WORD, c_size_t], "copy_on_device": [HANDLE, WORD, WORD, c_size_t],
    "peek": [HANDLE, c_void_p, WORD, c_size_t], "poke": [HANDLE, WORD, c_void_p, c_size_t],
    "program_load": [HANDLE, c_void_p, c_size_t, OUT], "program_unload": [HANDLE],
    "program_kernel": [HANDLE, c_char_p, OUT], "program_variable": [HANDLE, c_char_p, WORD_OUT, LONG_OUT],
    "set_stack": [HANDLE, WORD], "default_queue": [HANDLE, OUT], "queue_create": [HANDLE, OUT],
    "queue_destroy": [HANDLE], "queue_copy_to_device": [HANDLE, WORD, c_void_p, c_size_t],
    "queue_copy_from_device": [HANDLE, c_void_p, WORD, c_size_t], "queue_fill": [HANDLE, WORD, WORD, c_size_t],
    "queue_copy_on_device": [HANDLE, WORD, WORD, c_size_t], "queue_call": [HANDLE, CALL, c_void_p],
    "launch": [HANDLE, HANDLE, POINTER(Size), c_char_p, WORD, WORD_OUT], "queue_wait": [HANDLE],
    "queue_poll": [HANDLE, WORD_OUT], "wait": [HANDLE], "launch_wait": [HANDLE, WORD],
    "launch_info": [HANDLE, WORD, POINTER(LaunchRecord)], "launch_times_get": [HANDLE, WORD, POINTER(LaunchTimes)],
    "event_create": [HANDLE, OUT], "event_destroy": [HANDLE], "event_record": [HANDLE, HANDLE],
    "queue_wait_event": [HANDLE, HANDLE], "event_wait": [HANDLE], "event_poll": [HANDLE, WORD_OUT, LONG_OUT],
    "time": [HANDLE, LONG_OUT], "advance_until": [HANDLE, LONG], "advance_for": [HANDLE, LONG],
    "advance_until_idle": [HANDLE], "statistic_value": [HANDLE, c_char_p, LONG_OUT],
    "statistic_count": [HANDLE, WORD_OUT], "statistic_at": [HANDLE, WORD, POINTER(Statistic)],
    "report": [HANDLE, c_char_p, LONG], "results": [HANDLE, POINTER(c_char_p)], "series": [HANDLE, POINTER(c_char_p)],
    "trace_end": [HANDLE],
}


def _load() -> ctypes.CDLL:
    """The one that HEDDLE_LIBRARY names, that of the wheel, or one that the system finds."""
    beside = pathlib.Path(__file__).parent / "lib" / "libheddle.so"
    return ctypes.CDLL(os.environ.get("HEDDLE_LIBRARY") or (str(beside) if beside.exists() else "libheddle.so.0"))


_library = _load()
_library.heddle_message.restype = c_char_p
_library.heddle_version.restype = c_char_p
for _name, _types in _FUNCTIONS.items():
    _function = getattr(_library, "heddle_" + _name)
    _function.argtypes, _function.restype = _types, c_uint32


def call(name: str, *arguments: Any) -> None:
    """Calls heddle_NAME; raises what it returns."""
    code = getattr(_library, "heddle_" + name)(*arguments)
    if code:
        raise errors.of_code(code, _library.heddle_message().decode(errors="replace"))


def texts(what: str, given: Any) -> tuple[Any, int]:
    """An array of texts, and how many."""
    encoded = checks.paths(what, given)
    return (c_char_p * len(encoded))(*encoded) if encoded else None, len(encoded)


def version() -> str:
    """Of the library."""
    text: bytes = _library.heddle_version()
    return text.decode()
