/* SPDX-License-Identifier: MIT */
#include "simt.h"

#define LOAD_TEXTURE simt_load_texture
#include "args.h"

/* A query per thread, and the tree is a texture: each walk leaves its loops where the sequences part. */
SIMT_KERNEL(suffix_tree, const suffix_tree_args *args)
{
    uint32_t i = simt_global_index();
    if (i >= args->count)
        return;
    HD_POINTER(uint32_t, args->matches)
    [i] = suffix_tree_longest(HD_POINTER(const uint8_t, args->text), HD_POINTER(const suffix_tree_node, args->nodes),
                              HD_POINTER(const uint8_t, args->queries) + i * args->length, args->length);
}
