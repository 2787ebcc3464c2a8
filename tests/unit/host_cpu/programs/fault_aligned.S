# SPDX-License-Identifier: MIT
    li a0, 0x180
    slli a0, a0, 32
    sw a0, 2(a0)
