# SPDX-License-Identifier: MIT
"""host.py ADDRESS: the peer that host.c is, in Python; numbers as in copies.c."""
import struct
import sys

import heddle_remote

BYTES, FROM, TO = 5000, 0x100, 0x8000
BASE, REGISTERS = 0x10000000, 0x10000000000
RING, COMPLETION, PLACE, QUEUE = BASE + 0x10000, BASE + 0x11000, BASE + 0x20000, REGISTERS + 0x1000
DELAY_PS = 50_000
COPY = 0x43444548


def descriptor(number, direction, host):
    return struct.pack("<IIIIQQQ", COPY, 0, number, direction, host, PLACE, BYTES).ljust(128, b"\0")


STEPS = [
    (RING, descriptor(0, 0, FROM) + descriptor(1, 1, TO)),
    (QUEUE + 0x00, struct.pack("<I", RING)),
    (QUEUE + 0x04, struct.pack("<I", COMPLETION)),
    (QUEUE + 0x08, struct.pack("<I", 8)),
    (QUEUE + 0x0C, struct.pack("<I", 2)),
]
memory = bytearray(65536)
memory[FROM : FROM + BYTES] = bytes((i * 7 + i // 256) & 255 for i in range(BYTES))
step = answers = interrupts = 0


def take_turn(remote, now):
    global step
    if interrupts == 2:
        remote.bye()
        return
    if step == 0:
        remote.read(tag=0, at=now, address=REGISTERS, length=4)
        step += 1
    elif step <= len(STEPS) and answers == step:
        address, data = STEPS[step - 1]
        remote.write(tag=step, at=now, address=address, data=data)
        step += 1
    remote.pass_turn()


with heddle_remote.connect(sys.argv[1], timeout=20) as remote:
    for message in remote:
        if message.kind == heddle_remote.ADVANCE:
            take_turn(remote, message.time)
        elif message.kind == heddle_remote.ANSWER:
            assert message.status == heddle_remote.OK and message.tag == answers, message
            assert message.tag or message.data == b"HED1", message
            answers += 1
        elif message.kind == heddle_remote.INTERRUPT:
            interrupts += 1
        elif message.kind == heddle_remote.READ:
            remote.answer(message, data=memory[message.address : message.address + message.length], delay=DELAY_PS)
        elif message.kind == heddle_remote.WRITE:
            heddle_remote.store(memory, message)
            remote.answer(message, delay=DELAY_PS)
assert interrupts == 2 and memory[TO : TO + BYTES] == memory[FROM : FROM + BYTES]
