/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(nothing, const devices_args *args)
{
    (void)args;
}
