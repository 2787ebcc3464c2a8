/* SPDX-License-Identifier: MIT */
#include "../hashtable/host.c"
