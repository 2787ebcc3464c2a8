/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "common/host_check.h"

enum { LEVELS = 9 };

/* Where a box stands: the even bits of its index are x, the odd ones z, so that neighbours in the order are neighbours. */
static uint32_t even_bits(uint32_t value)
{
    uint32_t bits = 0;
    for (uint32_t bit = 0; bit < LEVELS; bit++)
        bits |= (value >> 2 * bit & 1) << bit;
    return bits;
}

/* Houses of a town, each in a square of its own. */
static bounding_box *boxes_random(uint32_t count, uint64_t *random)
{
    bounding_box *boxes = hd_host_alloc(count * sizeof *boxes);
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)even_bits(i), z = (float)even_bits(i >> 1);
        float margin = (float)host_random_below(random, 100) / 256;
        boxes[i] = (bounding_box){
            .low = {x + margin, 0, z + margin},
            .high = {x + 1 - margin, (float)(16 + host_random_below(random, 700)) / 256, z + 1 - margin}};
    }
    return boxes;
}

static void include(bounding_box *volume, const bounding_box *other)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        if (other->low[axis] < volume->low[axis])
            volume->low[axis] = other->low[axis];
        if (other->high[axis] > volume->high[axis])
            volume->high[axis] = other->high[axis];
    }
}

/* The hierarchy of the boxes first .. first + count - 1, from this node on. Returns the node behind it. */
static uint32_t build(const bounding_box *boxes, uint32_t first, uint32_t count, bounding_volume *nodes, uint32_t at)
{
    bounding_volume *node = nodes + at;
    if (count <= BOUNDING_VOLUMES_LEAF) {
        *node = (bounding_volume){.bounds = boxes[first], .next = at + 1, .first = first};
        for (uint32_t i = 1; i < count; i++)
            include(&node->bounds, boxes + first + i);
        return node->next;
    }
    uint32_t right = build(boxes, first, count / 2, nodes, at + 1);
    uint32_t next = build(boxes, first + count / 2, count - count / 2, nodes, right);
    *node = (bounding_volume){.bounds = nodes[at + 1].bounds, .next = next, .first = BOUNDING_VOLUMES_NONE};
    include(&node->bounds, &nodes[right].bounds);
    return next;
}

/* Looks at every box. */
static bounding_volumes_hit reference(const bounding_box *boxes, uint32_t count, const float *eye,
                                      bounding_volumes_ray ray)
{
    bounding_volumes_hit hit = {BOUNDING_VOLUMES_NONE, BOUNDING_VOLUMES_FAR};
    for (uint32_t i = 0; i < count; i++) {
        float from = 0, to = BOUNDING_VOLUMES_FAR;
        for (uint32_t axis = 0; axis < 3; axis++) {
            float ends[2] = {(boxes[i].low[axis] - eye[axis]) * ray.inverse[axis],
                             (boxes[i].high[axis] - eye[axis]) * ray.inverse[axis]};
            uint32_t is_backwards = ray.inverse[axis] < 0;
            if (ends[is_backwards] > from)
                from = ends[is_backwards];
            if (ends[!is_backwards] < to)
                to = ends[!is_backwards];
        }
        if (from <= to && from < hit.distance)
            hit = (bounding_volumes_hit){i, from};
    }
    return hit;
}

int hd_app_main(void)
{
    uint32_t columns = host_option("columns", 32, 1, 2048);
    uint32_t rows = host_option("rows", 24, 1, 2048);
    uint32_t levels = host_option("levels", 4, 0, LEVELS);
    uint32_t grid = host_option("grid", 4, 1, 4096);
    uint64_t random = hd_option("seed", 1);

    uint32_t rays = columns * rows, count = 1u << 2 * levels;
    uint32_t leaf_boxes = count < BOUNDING_VOLUMES_LEAF ? count : BOUNDING_VOLUMES_LEAF;
    uint32_t node_count = 2 * (count / leaf_boxes) - 1;
    bounding_box *boxes = boxes_random(count, &random);
    bounding_volume *nodes = hd_host_alloc(node_count * sizeof *nodes);
    build(boxes, 0, count, nodes, 0);

    bounding_volumes_args args = {.nodes = host_upload(nodes, node_count * sizeof *nodes),
                                  .boxes = host_upload(boxes, count * sizeof *boxes),
                                  .hits = host_poisoned(rays * sizeof(bounding_volumes_hit)),
                                  .taken = host_filled(0, sizeof(uint32_t)),
                                  .node_count = node_count,
                                  .leaf_boxes = leaf_boxes,
                                  .columns = columns,
                                  .rows = rows,
                                  .eye = {0.5f * (float)(1u << levels), 2.5f, -1}};
    host_launch("bounding_volumes", hd_1d(grid), hd_2d(BOUNDING_VOLUMES_BLOCK_X, BOUNDING_VOLUMES_BLOCK_Y),
                BOUNDING_VOLUMES_BLOCK_X * BOUNDING_VOLUMES_BLOCK_Y * 2 * sizeof(uint32_t), &args, sizeof args);

    const bounding_volumes_hit *hits = host_download(args.hits, rays * sizeof *hits);
    uint32_t met = 0;
    for (uint32_t i = 0; i < rays; i++) {
        bounding_volumes_hit expected = reference(boxes, count, args.eye, bounding_volumes_ray_of(i, columns, rows));
        host_check_word("box", i, hits[i].box, expected.box);
        host_check_float("distance", i, hits[i].distance, expected.distance);
        met += expected.box != BOUNDING_VOLUMES_NONE;
    }
    hd_report("rays", rays);
    hd_report("hits", met);
    return HD_PASS;
}
