/* SPDX-License-Identifier: MIT */
#include "barnes_hut/host.c"
