/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* A query per thread: each walk leaves its loops where the sequences part. */
SIMT_KERNEL(suffix_tree, const suffix_tree_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    HD_POINTER(uint32_t, args->matches)
    [i] = suffix_tree_longest(HD_POINTER(const uint8_t, args->text), HD_POINTER(const suffix_tree_node, args->nodes),
                              HD_POINTER(const uint8_t, args->queries) + i * args->length, args->length);
}
