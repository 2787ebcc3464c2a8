/* SPDX-License-Identifier: MIT */
/*
 * The body of a kernel that puts bodies into the octree, each step ATOMICALLY. Fung 2015 §4.3: each level of the
 * descent is a transaction, and each insertion, of a body or of a branch node. Descents only read, and what they read
 * is complete.
 */
{
    uint32_t spare = 0; /* link to a cell for the next branch: atomics stand outside of transactions */
    for (uint32_t body = simt_global_index(); body < args->bodies; body += simt_global_size()) {
        descent d = {.body = body + 1, .at = body_at(args, body), .cell = 0, .radius = args->radius};
        while (!d.is_placed) {
            if (!spare)
                spare = link_to_cell(args, take_cell(args));
            ATOMICALLY(take_step(args, &d, &spare));
        }
    }
}
#undef ATOMICALLY
