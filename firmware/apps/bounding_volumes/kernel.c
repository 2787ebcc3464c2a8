/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "simt.h"

/* One instruction each, at which no lanes part. */
SIMT_INLINE float lesser(float a, float b)
{
    float result;
    __asm__("fmin.s %0, %1, %2" : "=f"(result) : "f"(a), "f"(b));
    return result;
}

SIMT_INLINE float greater(float a, float b)
{
    float result;
    __asm__("fmax.s %0, %1, %2" : "=f"(result) : "f"(a), "f"(b));
    return result;
}

/* Narrows entry .. leave to the part of the ray that is between two planes. */
SIMT_INLINE void clip(float low, float high, float eye, float inverse, float *entry, float *leave)
{
    float to_low = (low - eye) * inverse, to_high = (high - eye) * inverse;
    *entry = greater(*entry, lesser(to_low, to_high));
    *leave = lesser(*leave, greater(to_low, to_high));
}

/* Where the ray enters the box; BOUNDING_VOLUMES_FAR: nowhere. */
SIMT_INLINE float entry_of(const bounding_volumes_args *args, bounding_volumes_ray ray, const bounding_box *box)
{
    float entry = 0, leave = BOUNDING_VOLUMES_FAR;
    clip(box->low[0], box->high[0], args->eye[0], ray.inverse[0], &entry, &leave);
    clip(box->low[1], box->high[1], args->eye[1], ray.inverse[1], &entry, &leave);
    clip(box->low[2], box->high[2], args->eye[2], ray.inverse[2], &entry, &leave);
    return entry > leave ? BOUNDING_VOLUMES_FAR : entry;
}

/* Lanes go from volume to volume until each has a leaf, and then look at the boxes of their leaves. */
SIMT_INLINE bounding_volumes_hit traverse(const bounding_volumes_args *args, bounding_volumes_ray ray)
{
    const bounding_volume *nodes = HD_POINTER(const bounding_volume, args->nodes);
    const bounding_box *boxes = HD_POINTER(const bounding_box, args->boxes);
    bounding_volumes_hit hit = {BOUNDING_VOLUMES_NONE, BOUNDING_VOLUMES_FAR};
    uint32_t at = 0;
    while (at < args->node_count) {
        const bounding_volume *node;
        for (;;) {
            node = nodes + at;
            if (entry_of(args, ray, &node->bounds) >= hit.distance)
                at = node->next;
            else if (node->first == BOUNDING_VOLUMES_NONE)
                at++;
            else
                break;
            if (at == args->node_count)
                return hit;
        }
        for (uint32_t box = node->first; box < node->first + args->leaf_boxes; box++) {
            const float entry = entry_of(args, ray, boxes + box);
            if (entry < hit.distance)
                hit = (bounding_volumes_hit){box, entry};
        }
        at = node->next;
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
