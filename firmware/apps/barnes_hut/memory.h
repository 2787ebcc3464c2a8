/* SPDX-License-Identifier: MIT */
/*
 * Bodies and cells in device memory. Packed: each field an array of its own, as published. Padded: a body in one
 * granule; a cell in two, one of its links and one of the rest.
 */
#ifndef BARNES_HUT_MEMORY_H
#define BARNES_HUT_MEMORY_H

#include "common/transactional.h"
#include "reference.h"

enum { GRANULE_WORDS = GRANULE_BYTES / sizeof(uint32_t) };
_Static_assert(GRANULE_WORDS >= 8, "a granule holds the links of a cell");

/* Fields of a cell behind its eight links. */
enum { CELL_X, CELL_Y, CELL_Z, CELL_PARENT, CELL_ARRIVED, CELL_FIELDS };
enum { BODY_X, BODY_Y, BODY_Z, BODY_MASS, BODY_FIELDS };

static inline hd_device_ptr memory_field(hd_device_ptr array, uint32_t field, uint32_t field_words)
{
    return hd_offset(array, field * field_words * (uint32_t)sizeof(uint32_t));
}

/* Before they are drawn: more than there is room for are refused at once. */
static inline void memory_reserve_bodies(barnes_hut_args *args, uint32_t count, uint32_t is_padded)
{
    const uint32_t field_words = is_padded ? 1 : count;
    args->bodies = count;
    args->body_stride = is_padded ? GRANULE_WORDS : 1;
    args->body_x = hd_malloc((uint64_t)count * (is_padded ? GRANULE_WORDS : BODY_FIELDS) * sizeof(float));
    args->body_y = memory_field(args->body_x, BODY_Y, field_words);
    args->body_z = memory_field(args->body_x, BODY_Z, field_words);
    args->body_mass = memory_field(args->body_x, BODY_MASS, field_words);
}

static inline void memory_write_bodies(const barnes_hut_args *args, const bodies *b)
{
    const uint32_t stride = args->body_stride, is_padded = stride != 1, field_words = is_padded ? 1 : b->count;
    const size_t bytes = (size_t)b->count * (is_padded ? GRANULE_WORDS : BODY_FIELDS) * sizeof(float);
    float *image = hd_host_alloc(bytes);
    for (uint32_t i = 0; i < b->count; i++) {
        float *fields = &image[(size_t)i * stride];
        fields[(size_t)BODY_X * field_words] = b->x[i];
        fields[(size_t)BODY_Y * field_words] = b->y[i];
        fields[(size_t)BODY_Z * field_words] = b->z[i];
        fields[(size_t)BODY_MASS * field_words] = b->mass;
    }
    hd_copy_to_device(args->body_x, image, bytes);
    hd_host_free(image);
}

/* All zero: an empty root at the origin. */
static inline void memory_place_cells(barnes_hut_args *args, uint32_t cells, uint32_t is_padded)
{
    const uint32_t field_words = is_padded ? 1 : cells;
    hd_device_ptr fields;
    if (is_padded) {
        args->child = host_filled(0, (size_t)cells * 2 * GRANULE_BYTES);
        fields = hd_offset(args->child, GRANULE_BYTES);
    } else {
        args->child = host_filled(0, (size_t)cells * 8 * sizeof(uint32_t));
        fields = host_filled(0, (size_t)cells * CELL_FIELDS * sizeof(uint32_t));
    }
    args->cells = cells;
    args->child_stride = is_padded ? 2 * GRANULE_WORDS : 8;
    args->cell_stride = is_padded ? 2 * GRANULE_WORDS : 1;
    args->x = memory_field(fields, CELL_X, field_words);
    args->y = memory_field(fields, CELL_Y, field_words);
    args->z = memory_field(fields, CELL_Z, field_words);
    args->parent = memory_field(fields, CELL_PARENT, field_words);
    args->arrived = memory_field(fields, CELL_ARRIVED, field_words);
}

/* All that the build of the tree needs besides: the bodies' places, and cells, of which the first is the root. */
static inline void memory_place(barnes_hut_args *args, const bodies *b, uint32_t cells, uint32_t is_padded)
{
    const uint32_t free_lock = 0, next_cell = 1; /* behind the root */
    args->softening = 0.0025f * b->unit * b->unit;
    args->lock = host_upload(&free_lock, sizeof free_lock);
    args->next_cell = host_upload(&next_cell, sizeof next_cell);
    memory_write_bodies(args, b);
    memory_place_cells(args, cells, is_padded);
}

/* The tree as the device has it. */
typedef struct device_tree {
    const uint32_t *child, *fields;
    uint32_t child_stride, cell_stride, field_words, cells;
} device_tree;

static inline device_tree memory_read_cells(const barnes_hut_args *args)
{
    const uint32_t is_padded = args->cell_stride != 1, cells = args->cells;
    device_tree tree = {.child_stride = args->child_stride,
                        .cell_stride = args->cell_stride,
                        .field_words = is_padded ? 1 : cells,
                        .cells = cells};
    tree.child = host_download(args->child, (size_t)cells * args->child_stride * sizeof(uint32_t));
    tree.fields =
        is_padded ? tree.child + GRANULE_WORDS : host_download(args->x, (size_t)cells * CELL_FIELDS * sizeof(uint32_t));
    return tree;
}

static inline uint32_t memory_link(const device_tree *tree, uint32_t cell, uint32_t octant)
{
    return tree->child[(size_t)cell * tree->child_stride + octant];
}

static inline uint32_t memory_cell_word(const device_tree *tree, uint32_t cell, uint32_t field)
{
    return tree->fields[(size_t)cell * tree->cell_stride + (size_t)field * tree->field_words];
}

#endif
