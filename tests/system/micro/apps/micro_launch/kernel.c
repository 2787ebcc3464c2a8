/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

SIMT_KERNEL(micro_launch, const micro_launch_args *args)
{
    (void)args;
}
