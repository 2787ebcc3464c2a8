# SPDX-License-Identifier: MIT
    li a0, 0x123456
    jr a0
