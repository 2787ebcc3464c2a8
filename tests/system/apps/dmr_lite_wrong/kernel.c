/* SPDX-License-Identifier: MIT */
#include "dmr_lite/kernel.c"
