# SPDX-License-Identifier: MIT
"""Machines. Times are in ps. What heddle.h says of a function holds for its method."""
from __future__ import annotations

import ctypes
import dataclasses
import json
import os
import pathlib
from ctypes import byref, c_uint32, c_uint64, c_void_p
from types import TracebackType
from typing import Any, Callable, Optional, Sequence, Union

from . import checks, errors, library
from .buffers import Buffer, Pinned
from .queues import Event, Program, Queue

Path = Union[str, "os.PathLike[str]"]
_TLM = ("auto", "always", "checked")
_PATIENCE = 100  # ms
_LAST_TIME = 2**64 - 2


@dataclasses.dataclass(frozen=True)
class Trace:
    """What is traced: heddle_trace."""

    perfetto: Optional[Path] = None
    vcd: Optional[Path] = None
    units: Sequence[str] = ()
    events: Sequence[str] = ()
    kernels: Sequence[str] = ()
    start: int = 0
    end: int = 0
    limit: int = 0
    picoseconds: bool = False


@dataclasses.dataclass(frozen=True)
class Limits:
    """heddle_limits."""

    memory_bytes: int
    free_bytes: int
    clock_period: int
    cores: int
    lanes: int
    warps_per_core: int
    blocks_per_core: int
    threads_per_block: int
    scratchpad_bytes: int
    argument_bytes: int
    queues: int
    copies_by_dma: bool
    cache_bytes: int


class Machine:
    """An open machine; `with` closes it. Use by one thread at a time."""

    is_closed = True  # of the class, as __del__ also runs if __init__ was refused its arguments

    def __init__(self, netlist: Path, overrides: Sequence[str] = (), *, plugins: Sequence[Path] = (),
                 name: Optional[str] = None, seed: int = 0, threads: int = 0, check_memory: bool = False,
                 check_races: bool = False, grain: int = 0, app: Optional[Path] = None,
                 firmware: Optional[Path] = None, tlm: str = "auto", profile: bool = False,
                 series: Optional[str] = None, series_statistics: Sequence[str] = (), trace: Trace = Trace(),
                 on_print: Optional[Callable[[str], None]] = None,
                 on_log: Optional[Callable[[int, int, Optional[str], str], None]] = None,
                 on_finished: Optional[Callable[[int, int], None]] = None) -> None:
        self._raised: Optional[BaseException] = None
        self._pinned: list[tuple[Optional[int], Pinned]] = []
        self._calls: list[Any] = []
        self._callbacks = self._make_callbacks(on_print, on_log, on_finished)
        if tlm not in _TLM:
            raise ValueError(f"tlm must be one of {', '.join(_TLM)}")
        settings = library.Settings(netlist=checks.path("netlist", netlist), name=checks.optional(checks.text, "name", name),
                                    seed=checks.unsigned64("seed", seed), threads=checks.unsigned32("threads", threads),
                                    checks=bool(check_memory) | bool(check_races) << 1,
                                    grain=checks.unsigned64("grain", grain), callbacks=self._callbacks,
                                    app=checks.optional(checks.path, "app", app),
                                    firmware=checks.optional(checks.path, "firmware", firmware), tlm=_TLM.index(tlm),
                                    profile=bool(profile), series=checks.optional(checks.text, "series", series))
        settings.struct_bytes = ctypes.sizeof(settings)
        settings.patience = _PATIENCE
        settings.overrides, settings.override_count = library.texts("overrides", overrides)
        settings.plugins, settings.plugin_count = library.texts("plugins", plugins)
        settings.series_statistics, settings.series_statistic_count = library.texts("series_statistics", series_statistics)
        self._fill_trace(settings.trace, trace)
        self.handle = self._made("open", byref(settings))
        self.is_closed = False

    @staticmethod
    def _fill_trace(settings: library.TraceSettings, trace: Trace) -> None:
        if not isinstance(trace, Trace):
            raise TypeError(f"trace must be a Trace, not {type(trace).__name__}")
        settings.perfetto = checks.optional(checks.path, "perfetto", trace.perfetto)
        settings.vcd = checks.optional(checks.path, "vcd", trace.vcd)
        settings.units, settings.unit_count = library.texts("units", trace.units)
        settings.events, settings.event_count = library.texts("events", trace.events)
        settings.kernels, settings.kernel_count = library.texts("kernels", trace.kernels)
        settings.from_, settings.to = checks.unsigned64("start", trace.start), checks.unsigned64("end", trace.end)
        settings.limit, settings.picoseconds = checks.unsigned64("limit", trace.limit), bool(trace.picoseconds)

    def _make_callbacks(self, on_print: Any, on_log: Any, on_finished: Any) -> library.Callbacks:
        def text(given: Optional[bytes]) -> Optional[str]:
            return None if given is None else given.decode(errors="replace")

        checks.function("on_print", on_print)
        checks.function("on_log", on_log)
        checks.function("on_finished", on_finished)
        made = library.Callbacks()
        if on_print:
            made.print = library.PRINT(lambda _, line: self.guarded(on_print, text(line)))
        if on_log:
            made.log = library.LOG(lambda _, severity, time, block, line: self.guarded(on_log, severity, time,
                                                                                        text(block), text(line)))
        if on_finished:
            made.finished = library.FINISHED(lambda _, launch, time: self.guarded(on_finished, launch, time))
        return made

    def guarded(self, function: Callable[..., None], *arguments: Any) -> None:
        """What a callback raises is raised by the call that lets time pass."""
        try:
            function(*arguments)
        except BaseException as raised:  # noqa: BLE001
            self._raised = self._raised or raised

    def call(self, name: str, *arguments: Any) -> None:
        """heddle_NAME, by its name. Between its parts Python handles signals, so that Ctrl-C raises KeyboardInterrupt."""
        is_over = False
        while not is_over:
            try:
                library.call(name, *arguments)
                is_over = True
            except errors.InterruptedCallError:
                pass
            finally:
                raised, self._raised = self._raised, None
            if raised:
                raise raised

    def _made(self, name: str, *arguments: Any) -> c_void_p:
        handle = c_void_p()
        self.call(name, *arguments, byref(handle))
        return handle

    def number(self, name: str, *arguments: Any) -> int:
        """What heddle_NAME sets as its last argument, of 64 bits."""
        value = c_uint64()
        self.call(name, *arguments, byref(value))
        return value.value

    def close(self) -> None:
        """Ends the machine; may be called again."""
        if self.is_closed:
            return
        self.is_closed = True
        try:
            self.call("close", self.handle)
        finally:
            self.release(None)

    def __enter__(self) -> Machine:
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()

    def pin(self, queue: Optional[int], data: Any, is_written: bool) -> Pinned:
        """Keeps an object's memory where it is until the queue has been waited for."""
        pinned = Pinned(data, is_written)
        self._pinned.append((queue, pinned))
        return pinned

    def release(self, queue: Optional[int]) -> None:
        """Of this queue, or None: of all."""
        for of, pinned in self._pinned:
            if queue in (None, of):
                pinned.release()
        self._pinned = [] if queue is None else [item for item in self._pinned if item[0] != queue]

    # ---- Memory

    @property
    def limits(self) -> Limits:
        record = library.LimitsRecord(struct_bytes=ctypes.sizeof(library.LimitsRecord))
        self.call("limits_get", self.handle, byref(record))
        return Limits(**{field.name: field_type(getattr(record, field.name)) for field, field_type in
                         ((field, bool if field.name == "copies_by_dma" else int)
                          for field in dataclasses.fields(Limits))})

    def allocate(self, size: int) -> Buffer:
        count, address = checks.unsigned64("size", size), c_uint32()
        self.call("allocate", self.handle, count, byref(address))
        return Buffer(self, address.value, count)

    def buffer(self, data: Any) -> Buffer:
        """Allocates as much as an object has, and copies it there."""
        made = self.allocate(memoryview(data).nbytes)
        made.write(data)
        return made

    def _with_memory(self, data: Any, is_written: bool, name: str, order: Callable[[Pinned], tuple[Any, ...]]) -> None:
        pinned = Pinned(data, is_written)
        try:
            self.call(name, self.handle, *order(pinned))
        finally:
            pinned.release()

    def copy_to_device(self, to: int, data: Any) -> None:
        address = checks.unsigned32("address", to)
        self._with_memory(data, False, "copy_to_device", lambda m: (address, m.address, m.bytes))

    def copy_from_device(self, data: Any, source: int) -> None:
        address = checks.unsigned32("address", source)
        self._with_memory(data, True, "copy_from_device", lambda m: (m.address, address, m.bytes))

    def copy_on_device(self, to: int, source: int, size: int) -> None:
        self.call("copy_on_device", self.handle, checks.unsigned32("address", to), checks.unsigned32("address", source),
                  checks.unsigned32("size", size))

    def peek(self, source: int, size: int) -> bytearray:
        """The bytes as they are now; no time passes."""
        address, data = checks.unsigned32("address", source), bytearray(checks.unsigned32("size", size))
        self._with_memory(data, True, "peek", lambda m: (m.address, address, m.bytes))
        return data

    def poke(self, to: int, data: Any) -> None:
        """Changes them; no time passes."""
        address = checks.unsigned32("address", to)
        self._with_memory(data, False, "poke", lambda m: (address, m.address, m.bytes))

    # ---- Programs and queues

    def load(self, program: Union[Path, bytes, bytearray, memoryview]) -> Program:
        """A kernel program: the path of an ELF file, or what is in one."""
        image = program if isinstance(program, (bytes, bytearray, memoryview)) else pathlib.Path(program).read_bytes()
        pinned = Pinned(image)
        try:
            return Program(self, self._made("program_load", self.handle, pinned.address, pinned.bytes))
        finally:
            pinned.release()

    def set_stack(self, bytes_per_thread: int) -> None:
        self.call("set_stack", self.handle, checks.unsigned32("bytes_per_thread", bytes_per_thread))

    def queue(self) -> Queue:
        """Another queue."""
        return Queue(self, self._made("queue_create", self.handle))

    @property
    def default_queue(self) -> Queue:
        return Queue(self, self._made("default_queue", self.handle))

    def event(self) -> Event:
        return Event(self, self._made("event_create", self.handle))

    def wait(self) -> None:
        """Until everything in all queues is done; with an app or firmware, until it has ended."""
        self.call("wait", self.handle)
        self.release(None)

    def keep(self, made: Any) -> None:
        """As long as the machine."""
        self._calls.append(made)

    # ---- Time

    @property
    def time(self) -> int:
        return self.number("time", self.handle)

    def advance_until(self, time: int) -> None:
        self.call("advance_until", self.handle, checks.unsigned64("time", time))

    def advance_for(self, duration: int) -> None:
        until = self.time + checks.unsigned64("duration", duration)  # so that a part is not advanced twice
        self.advance_until(min(until, _LAST_TIME))

    def advance_until_idle(self) -> None:
        self.call("advance_until_idle", self.handle)

    # ---- Results

    def statistic(self, path: str) -> int:
        """Of one instance ("core[3].cycles"), or of all ("core.cycles")."""
        return self.number("statistic_value", self.handle, path.encode())

    def statistics(self) -> dict[str, dict[str, int]]:
        """By instance and name: statistics()["core[3]"]["cycles"]."""
        count, found = c_uint32(), library.Statistic()
        self.call("statistic_count", self.handle, byref(count))
        all_of: dict[str, dict[str, int]] = {}
        for number in range(count.value):
            self.call("statistic_at", self.handle, number, byref(found))
            all_of.setdefault(found.block.decode(), {})[found.name.decode()] = found.value
        return all_of

    def _text(self, name: str) -> str:
        text = ctypes.c_char_p()
        self.call(name, self.handle, byref(text))
        return (text.value or b"").decode(errors="replace")

    def results(self) -> dict[str, Any]:
        """As `heddle run --stats` writes them (docs/statistics.md)."""
        parsed: dict[str, Any] = json.loads(self._text("results"))
        return parsed

    def series(self) -> str:
        """Comma-separated values."""
        return self._text("series")

    def report(self, name: str, value: int) -> None:
        self.call("report", self.handle, name.encode(), checks.unsigned64("value", value))

    def end_trace(self) -> None:
        self.call("trace_end", self.handle)
