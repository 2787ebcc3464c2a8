/* SPDX-License-Identifier: MIT */
#include "common/mimd_style.h"

#include "hashtable/kernel.c"
