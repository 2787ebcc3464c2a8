/* SPDX-License-Identifier: MIT */
#include "../unsafe.h"

#include "atm/kernel.c"
