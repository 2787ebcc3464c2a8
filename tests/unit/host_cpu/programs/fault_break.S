# SPDX-License-Identifier: MIT
    ebreak
