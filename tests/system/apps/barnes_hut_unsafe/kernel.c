/* SPDX-License-Identifier: MIT */
#include "../unsafe.h"

#include "barnes_hut/kernel.c"
