# SPDX-License-Identifier: MIT
"""use.py KERNELS MACHINE DMA FIRMWARE APP SCRATCH: the installed package does what it says."""
import array
import json
import os
import pathlib
import sys

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


assert not os.path.exists("heddle") and "site-packages" in heddle.__file__, heddle.__file__
of_launches_and_copies(small)
of_launches_and_copies(dma)
of_queues()
of_memory()
of_settings()
of_apps()
of_numpy()
with heddle.Machine("gtx480") as by_name:  # of the machine files in the wheel
    assert by_name.limits.cores == 15
print("heddle", heddle.version(), json.dumps({"used": True}))
