# SPDX-License-Identifier: MIT
    li a0, 64
    li a1, 1
    sd a1, 0(a0)
