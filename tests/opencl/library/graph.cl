/* SPDX-License-Identifier: MIT */
/* A matrix as a graph: entry (r, c) is an edge from r to c. */

/* From the vertices of the frontier to all that have no level yet, which are the next frontier. */
kernel void expand(global const uint *offsets, global const uint *neighbours, global int *levels,
                   global const uint *frontier, uint frontier_count, global uint *next, global uint *next_count,
                   int level)
{
    if (get_global_id(0) >= frontier_count)
        return;
    const uint vertex = frontier[get_global_id(0)];
    for (uint i = offsets[vertex]; i < offsets[vertex + 1]; i++)
        if (atomic_cmpxchg((volatile global int *)&levels[neighbours[i]], -1, level) == -1)
            next[atomic_inc(next_count)] = neighbours[i];
}

/* Ranks have 20 bits behind the point. What each vertex gives to each of its neighbours: */
kernel void divide_ranks(global const uint *offsets, global const uint *ranks, global uint *shares, uint vertices)
{
    const uint v = get_global_id(0);
    if (v < vertices)
        shares[v] = ranks[v] / (offsets[v + 1] - offsets[v]);
}

/* The graph is symmetric. The damping has 32 bits behind the point. */
kernel void collect_ranks(global const uint *offsets, global const uint *neighbours, global const uint *shares,
                          global uint *ranks, global uint *change, uint vertices, uint damping, uint rest)
{
    const uint v = get_global_id(0);
    if (v >= vertices)
        return;
    uint sum = 0;
    for (uint i = offsets[v]; i < offsets[v + 1]; i++)
        sum += shares[neighbours[i]];
    const uint rank = rest + mul_hi(sum, damping);
    atomic_max(change, abs_diff(rank, ranks[v]));
    ranks[v] = rank;
}
