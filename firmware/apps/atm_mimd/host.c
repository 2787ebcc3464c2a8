/* SPDX-License-Identifier: MIT */
#include "../atm/host.c"
