/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* Narrows entry .. leave to the part of the ray that is between two planes. */
SIMT_INLINE void clip(float low, float high, float eye, float inverse, float *entry, float *leave)
{
    float to_low = (low - eye) * inverse, to_high = (high - eye) * inverse;
    float first = to_low < to_high ? to_low : to_high, last = to_low < to_high ? to_high : to_low;
    *entry = first > *entry ? first : *entry;
    *leave = last < *leave ? last : *leave;
}

SIMT_INLINE bounding_volumes_hit traverse(const bounding_volumes_args *args, bounding_volumes_ray ray)
{
    const bounding_volume *nodes = HD_POINTER(const bounding_volume, args->nodes);
    bounding_volumes_hit hit = {BOUNDING_VOLUMES_NONE, BOUNDING_VOLUMES_FAR};
    uint32_t at = 0;
    while (at < args->node_count) {
        const bounding_volume *node = nodes + at;
        float entry = 0, leave = BOUNDING_VOLUMES_FAR;
        clip(node->low[0], node->high[0], args->eye[0], ray.inverse[0], &entry, &leave);
        clip(node->low[1], node->high[1], args->eye[1], ray.inverse[1], &entry, &leave);
        clip(node->low[2], node->high[2], args->eye[2], ray.inverse[2], &entry, &leave);
        if (entry > leave || entry >= hit.distance) {
            at = node->next;
            continue;
        }
        if (node->box != BOUNDING_VOLUMES_NONE)
            hit = (bounding_volumes_hit){node->box, entry};
        at++;
    }
    return hit;
}

/* What the lanes of a warp share in the scratchpad. */
typedef struct warp_work {
    uint32_t lanes;
    uint32_t first; /* of the rays that the first lane has taken for all */
} warp_work;

/* Persistent threads: the first lane of a warp takes a ray for each lane, until there are none. */
SIMT_KERNEL(bounding_volumes, const bounding_volumes_args *args)
{
    volatile warp_work *work = (volatile warp_work *)simt_scratchpad + simt_warp();
    uint32_t rays = args->columns * args->rows, lane = simt_lane();
    simt_atomic_add(&work->lanes, 1);
    simt_barrier();
    for (;;) {
        if (lane == 0)
            work->first = simt_atomic_add(HD_POINTER(uint32_t, args->taken), work->lanes);
        simt_warp_sync();
        uint32_t first = work->first, ray = first + lane;
        simt_warp_sync();
        if (first >= rays)
            break;
        if (ray < rays)
            HD_POINTER(bounding_volumes_hit, args->hits)
        [ray] = traverse(args, bounding_volumes_ray_of(ray, args->columns, args->rows));
    }
}
