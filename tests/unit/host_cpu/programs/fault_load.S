# SPDX-License-Identifier: MIT
    li a0, 0x180
    slli a0, a0, 32
    ld a1, 0x200(a0)
