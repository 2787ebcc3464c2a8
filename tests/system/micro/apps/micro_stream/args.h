/* SPDX-License-Identifier: MIT */
#ifndef MICRO_STREAM_ARGS_H
#define MICRO_STREAM_ARGS_H

#include "heddle_args.h"

#define MICRO_STREAM_LOADS 8 /* of one warp, all in flight at once: a group */

/* Line n lies at n / 2 * pair_bytes + n % 2 * 128. In its group g, warp w loads lines (g * 8 + i) * warps + w. */
typedef struct micro_stream_args {
    hd_device_ptr lines;
    hd_device_ptr sums; /* uint32_t[threads]: of all words that the thread has loaded */
    uint32_t pair_bytes;
    uint32_t passes; /* groups that a warp loads */
    uint32_t groups; /* of them different; then it starts again */
} micro_stream_args;
HD_ARGUMENT_BLOCK(micro_stream_args, 20);

#endif
