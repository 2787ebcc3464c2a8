/* SPDX-License-Identifier: MIT */
#include "../cloth/host.c"
