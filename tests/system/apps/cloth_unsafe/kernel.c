/* SPDX-License-Identifier: MIT */
#include "../unsafe.h"

#include "cloth/kernel.c"
