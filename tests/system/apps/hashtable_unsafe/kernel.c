/* SPDX-License-Identifier: MIT */
#include "../unsafe.h"

#include "hashtable/kernel.c"
