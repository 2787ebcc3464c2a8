/* SPDX-License-Identifier: MIT */
#define ATM_KERNEL "atm_tm"
#include "../atm/host.c"
