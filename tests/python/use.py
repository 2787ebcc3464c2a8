# SPDX-License-Identifier: MIT
"""use.py KERNELS MACHINE DMA FIRMWARE APP SCRATCH: the installed package does what it says."""
import array
import gc
import json
import os
import pathlib
import signal
import struct
import sys
import time

import heddle

kernels, small, dma, firmware, app, scratch = sys.argv[1:]
N = 1000


def expect_error(kind, part, function, *arguments, **named):
    try:
        function(*arguments, **named)
    except kind as error:
        assert part in str(error), f"{part!r} is not in {error}"
        return
    raise AssertionError(f"no {kind.__name__}")


def of_launches_and_copies(path):
    finished, lines = [], []
    with heddle.Machine(path, on_finished=lambda launch, time: finished.append(launch), on_print=lines.append) as machine:
        early = machine.buffer(array.array("I", range(N)))
        program, other = machine.load(kernels), machine.load(pathlib.Path(kernels).read_bytes())
        add = program.kernel("add")
        launch = add(-(-N // 64), 64, early, N, 5)
        assert not launch.is_complete and launch.cycles == 0
        words = array.array("I", bytes(4 * N))
        early.read_into(words)
        assert list(words) == [5 + i for i in range(N)]
        assert launch.is_complete and launch.cycles > 0 and finished == [0]
        times = launch.times
        assert times["appended"] < times["began"] < times["ended"] < times["finished"] <= machine.time
        assert other.variable("table")[0] != program.variable("table")[0]
        other.unload()
        expect_error(heddle.HandleError, "closed", other.kernel, "add")
        program.kernel("say")(1, 32, early, 0, 42).wait()
        assert len(lines) == 1 and lines[0].endswith("the value is 42"), lines
        limits = machine.limits
        assert limits.copies_by_dma == (path == dma) and limits.lanes == 32, limits
        expect_error(heddle.LaunchError, "a core has", add, 1, limits.threads_per_block + 1, early, N, 5)
        expect_error(heddle.UnknownError, "'sub'", program.kernel, "sub")
        expect_error(heddle.RangeError, "beyond", early.write, bytes(4 * N + 1))
        assert machine.statistics()["core[0]"]["warp_instructions"] <= machine.statistic("core.warp_instructions")
        machine.report("answer", 42)
        assert machine.results()["app"]["reports"]["answer"] == 42


class Rung(Exception):
    pass


def of_signals():
    def ring(number, frame):
        raise Rung

    def run(is_rung):
        with heddle.Machine(small) as machine:
            count, data = machine.load(kernels).kernel("count"), machine.buffer(array.array("I", bytes(4 * N)))
            count(-(-N // 64), 64, data, 8000, 1)
            if is_rung:
                signal.signal(signal.SIGALRM, ring)
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                began = time.monotonic()
                expect_error(Rung, "", machine.wait)
                assert time.monotonic() - began < 10
                signal.setitimer(signal.ITIMER_REAL, 0.2)
                expect_error(Rung, "", machine.advance_for, 10**12)
            machine.wait()
            words = array.array("I", bytes(4 * N))
            data.read_into(words)
            return machine.statistics()["core[0]"]["warp_instructions"], list(words)

    assert run(False) == run(True)


def of_queues():
    with heddle.Machine(small) as machine:
        add, queue, order = machine.load(kernels).kernel("add"), machine.queue(), []
        buffer, copy = machine.allocate(4 * N), machine.allocate(4 * N)
        source, target = array.array("I", range(N)), bytearray(4 * N)
        queue.write(buffer, source)
        add(-(-N // 64), 64, buffer, N, 1, queue=queue)
        queue.call(order.append)
        queue.copy(copy, buffer, 4 * N)
        queue.read_into(target, copy)
        event = machine.event()
        event.record(queue)
        assert not event.poll()[0] and not queue.is_done
        expect_error(BufferError, "", target.extend, b"x")  # it is in use
        queue.wait()
        target.extend(b"x")
        assert queue.is_done and event.poll()[0] and 0 < order[0] <= machine.time
        assert list(memoryview(target)[:4 * N].cast("I")) == [1 + i for i in range(N)]
        queue.call(lambda time: 1 / 0)
        expect_error(ZeroDivisionError, "", queue.wait)
        queue.destroy()
        expect_error(heddle.HandleError, "closed", queue.wait)


def of_memory():
    with heddle.Machine(small) as machine:
        with machine.buffer(b"\1\2\3\4") as buffer:
            before = machine.time
            assert bytes(machine.peek(buffer.address, 4)) == b"\1\2\3\4"
            machine.poke(buffer.address, b"\5")
            assert machine.time == before and bytes(buffer.read()) == b"\5\2\3\4"
            with buffer.map() as memory:
                assert memory[0] == 5 and not memory.readonly
                memory[3] = 9
            assert bytes(buffer.read()) == b"\5\2\3\x09"
            with buffer.map(write=False) as memory:
                memory[0] = 77
            assert buffer.read()[0] == 5
            expect_error(BufferError, "", buffer.read_into, b"\0\0\0\0")
        expect_error(heddle.FreedError, "freed", buffer.read)


def of_settings():
    trace = heddle.Trace(perfetto=os.path.join(scratch, "py.pftrace"), units=["kernels"])
    with heddle.Machine(small, tlm="checked", profile=True, series="2 us", series_statistics=["core.cycles"],
                        trace=trace) as machine:
        machine.load(kernels).kernel("add")(1, 64, machine.buffer(bytes(256)), 64, 1).wait()
        machine.advance_for(10_000_000)
        assert machine.series().startswith("begin_ps,end_ps,core.cycles\n0,2000000,")
        results = machine.results()
        assert results["host"]["tlm"] == "checked" and any(row["function"] == "add"
                                                           for row in results["profile"]["rows"])
    assert os.path.getsize(trace.perfetto) > 100
    expect_error(heddle.NetlistError, "wraps", heddle.Machine, small, ["core.wraps=1"])
    expect_error(heddle.ArgumentError, "1000 threads", heddle.Machine, small, threads=1000)
    expect_error(ValueError, "tlm", heddle.Machine, small, tlm="never")


def of_integers_out_of_range():
    for named in ({"seed": -1}, {"seed": 2**64}, {"threads": -1}, {"threads": 2**32 + 1}, {"grain": -1},
                  {"trace": heddle.Trace(start=-1)}, {"trace": heddle.Trace(limit=2**64)}):
        number = next(iter(named.values()))
        expect_error(ValueError, "" if isinstance(number, heddle.Trace) else f" is {number},", heddle.Machine, small, **named)
    with heddle.Machine(small) as machine:
        add, buffer, queue = machine.load(kernels).kernel("add"), machine.buffer(bytes(256)), machine.queue()
        other, wrapped = machine.allocate(256), 2**32 + buffer.address
        before = bytes(buffer.read())
        for grid, block, scratchpad in ((-1, 64, 0), (2**32 + 1, 64, 0), ((1, 2**32 + 1), 64, 0), (1, 2**32 + 64, 0),
                                        (1, -64, 0), (1, 64, 2**32), (1, 64, -1)):
            expect_error(ValueError, "must be from 0 to", add, grid, block, buffer, 64, 1, scratchpad=scratchpad)
        for argument in (2**32, -2**31 - 1):
            expect_error(ValueError, f" is {argument},", add, 1, 64, buffer, 64, argument)
        for size in (-1, 2**64 + 4):
            expect_error(ValueError, f" is {size},", machine.allocate, size)
        for address in (wrapped, buffer.address - 2**32):
            expect_error(ValueError, f" is {address},", machine.peek, address, 4)
            expect_error(ValueError, f" is {address},", machine.poke, address, b"\1")
            expect_error(ValueError, f" is {address},", machine.copy_to_device, address, b"\1")
            expect_error(ValueError, f" is {address},", machine.copy_from_device, bytearray(1), address)
            expect_error(ValueError, f" is {address},", machine.copy_on_device, address, other.address, 4)
            expect_error(ValueError, f" is {address},", machine.copy_on_device, other.address, address, 4)
        expect_error(ValueError, " is -4,", machine.peek, buffer.address, -4)
        expect_error(ValueError, " is -4,", machine.copy_on_device, buffer.address, other.address, -4)
        expect_error(ValueError, " is -256,", other.write, b"\1", -256)  # that would be the buffer before
        expect_error(ValueError, " is -256,", queue.write, other, b"\1", -256)
        expect_error(ValueError, " is -256,", queue.read_into, bytearray(1), other, -256)
        expect_error(ValueError, " is -4,", queue.copy, buffer, other, -4)
        expect_error(ValueError, f" is {2**32},", buffer.fill, 2**32)
        expect_error(ValueError, f" is {2**32},", queue.fill, buffer, 2**32)
        expect_error(ValueError, " is -1,", machine.set_stack, -1)
        expect_error(ValueError, " is -1,", machine.report, "answer", -1)
        assert bytes(buffer.read()) == before
        for argument, sum_of in ((-1, 2**32 - 1), (-2**31, 2**31), (2**32 - 1, 2**32 - 1)):  # what does fit
            buffer.fill(0)
            add(1, 64, buffer, 1, argument)
            assert int.from_bytes(buffer.read()[:4], "little") == sum_of


def of_time_backwards():
    with heddle.Machine(small) as machine:
        before = machine.time
        for advance in (machine.advance_for, machine.advance_until):
            for time in (-1, 2**64):
                expect_error(ValueError, f" is {time},", advance, time)
            expect_error(TypeError, "integer", advance, 1.5)
        assert machine.time == before
        machine.advance_for(1_000_000)
        assert machine.time == before + 1_000_000
        assert bytes(machine.buffer(b"\1\2").read()) == b"\1\2"


def of_wrong_types():
    unraisable, sys.unraisablehook = [], lambda found: unraisable.append(found.exc_value)
    try:
        expect_error(TypeError, "netlist", heddle.Machine)
        expect_error(TypeError, "unknown", heddle.Machine, small, unknown=1)
        expect_error(TypeError, "overrides must be a sequence", heddle.Machine, small, "core.count=1")
        for name, wrong in (("name", 5), ("series", 5), ("app", 0), ("firmware", 5), ("plugins", "one.so"),
                            ("series_statistics", "core.cycles"), ("overrides", [5]), ("seed", 1.5), ("threads", "2"),
                            ("on_print", 5), ("on_log", 5), ("on_finished", 5), ("trace", 5),
                            ("trace", heddle.Trace(units="kernels"))):
            expect_error(TypeError, "units" if isinstance(wrong, heddle.Trace) else name, heddle.Machine, small, **{name: wrong})
        expect_error(TypeError, "netlist", heddle.Machine, 5)
        gc.collect()
    finally:
        sys.unraisablehook = sys.__unraisablehook__
    assert not unraisable, unraisable


def of_freed_buffers():
    with heddle.Machine(small) as machine:
        add, queue, buffer = machine.load(kernels).kernel("add"), machine.queue(), machine.buffer(bytes(256))
        buffer.free()
        expect_error(heddle.FreedError, "already been freed", buffer.free)
        expect_error(heddle.FreedError, "already been freed", add, 1, 64, buffer, 64, 1)
        again = machine.buffer(b"\7" * 256)
        assert again.address == buffer.address  # which the freed one must not reach
        expect_error(heddle.FreedError, "already been freed", add, 1, 64, buffer, 64, 1)
        for function, arguments in ((buffer.free, ()), (buffer.write, (b"\1",)), (buffer.read, ()), (buffer.fill, (1,)),
                                    (queue.write, (buffer, b"\1")), (queue.read_into, (bytearray(1), buffer)),
                                    (queue.fill, (buffer, 1)), (queue.copy, (buffer, again, 4)),
                                    (queue.copy, (again, buffer, 4))):
            expect_error(heddle.FreedError, "already been freed", function, *arguments)
        assert bytes(again.read()) == b"\7" * 256


def of_arguments():
    """A float is one of 32 bits, and what is no number is refused."""
    with heddle.Machine(small) as machine:
        add, buffer = machine.load(kernels).kernel("add"), machine.buffer(bytes(256))
        add(1, 64, buffer, 1, 1.5)
        assert bytes(buffer.read()[:4]) == struct.pack("<f", 1.5)
        expect_error(OverflowError, "1e+300", add, 1, 64, buffer, 1, 1e300)
        for wrong in ("5", None, [1], 1j):
            expect_error(TypeError, type(wrong).__name__, add, 1, 64, buffer, 1, wrong)
        expect_error(TypeError, "float", add, 1.0, 64, buffer, 1, 1)
        expect_error(TypeError, "float", add, 1, (64.0, 1), buffer, 1, 1)
        expect_error(TypeError, "float", machine.allocate, 4.0)


def of_apps():
    with heddle.Machine(firmware, ["app.n=700"], app=app) as machine:
        expect_error(heddle.HostError, "own host", machine.allocate, 4)
        machine.advance_for(1_000_000)
        machine.wait()
        assert machine.results()["app"]["options"]["n"] == 700 and '"status": "pass"' in json.dumps(machine.results())


def of_numpy():
    try:
        import numpy
    except ImportError:
        print("no NumPy: its arrays are not tried")
        return
    with heddle.Machine(small) as machine:
        data = numpy.arange(N, dtype=numpy.uint32)
        buffer = machine.buffer(data)
        machine.load(kernels).kernel("add")(-(-N // 64), 64, buffer, N, 3)
        result = numpy.empty_like(data)
        address = result.ctypes.data
        buffer.read_into(result)
        assert result.ctypes.data == address and (result == data + 3).all()
        with buffer.map() as memory:
            view = numpy.frombuffer(memory, dtype=numpy.uint32)
            view *= 2
        buffer.read_into(result)
        assert (result == 2 * (data + 3)).all()
        expect_error((ValueError, BufferError), "contiguous", buffer.write, data[::2])
        machine.load(kernels).kernel("add")(numpy.int64(1), numpy.array([64, 1]), buffer, numpy.uint32(1), numpy.float32(1.5))


assert not os.path.exists("heddle") and "site-packages" in heddle.__file__, heddle.__file__
of_launches_and_copies(small)
of_launches_and_copies(dma)
of_queues()
of_signals()
of_memory()
of_settings()
of_integers_out_of_range()
of_time_backwards()
of_wrong_types()
of_freed_buffers()
of_arguments()
of_apps()
of_numpy()
with heddle.Machine("gtx480") as by_name:  # of the machine files in the wheel
    assert by_name.limits.cores == 15
print("heddle", heddle.version(), json.dumps({"used": True}))
