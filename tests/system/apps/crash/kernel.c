/* SPDX-License-Identifier: MIT */
#include "simt.h"

SIMT_KERNEL(nothing, const void *args)
{
    (void)args;
}
