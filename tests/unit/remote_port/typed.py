# SPDX-License-Identifier: MIT
"""Read by mypy --strict, and not run: peers are told what is of the wrong type."""
import heddle_remote


def serve(address: str) -> bytearray:
    memory = bytearray(4096)
    with heddle_remote.connect(address, timeout=2.5) as remote:
        for message in remote:
            if message.kind == heddle_remote.READ:
                at = message.address
                remote.answer(message, data=memoryview(memory)[at : at + message.length], delay=50_000)
            elif message.kind == heddle_remote.WRITE:
                heddle_remote.store(memory, message)
                remote.answer(message, heddle_remote.OK)
            elif message.kind == heddle_remote.ADVANCE:
                remote.pass_turn(message.time + remote.hello.time)
    return memory


def wrong(remote: heddle_remote.Remote, memory: bytes) -> None:
    remote.receive().kind  # type: ignore[union-attr]
    remote.write(1, 0, 0x1000, "text")  # type: ignore[arg-type]
    remote.interrupt(3, 1.5)  # type: ignore[arg-type]
    heddle_remote.store(memory, heddle_remote.Message(heddle_remote.WRITE))  # type: ignore[arg-type]
    heddle_remote.connect(4000)  # type: ignore[arg-type]
