# SPDX-License-Identifier: MIT
    ecall
