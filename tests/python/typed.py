# SPDX-License-Identifier: MIT
"""Read by mypy --strict, and not run: users of the package are told what is of the wrong type."""
import array

import heddle


def of_a_program(path: str) -> int:
    words = array.array("I", range(100))
    with heddle.Machine(path) as machine:
        buffer = machine.buffer(words)
        launch = machine.load("kernels.elf").kernel("add")(4, 32, buffer, 100)
        launch.wait()
        buffer.read_into(words)
        text: str = machine.cycles  # type: ignore[attr-defined]
        machine.allocate("100")  # type: ignore[arg-type]
        name: str = launch.cycles  # type: ignore[assignment]
        return launch.cycles + len(name) + len(text)


heddle.Machine(1.5)  # type: ignore[arg-type]
heddle.Machine("small", nobody=1)  # type: ignore[call-arg]
