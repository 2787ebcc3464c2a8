/* SPDX-License-Identifier: MIT */
#define HASHTABLE_KERNEL "hashtable_tm"
#include "../hashtable/host.c"
