/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(nothing, const misuse_args *args)
{
    (void)args;
}
