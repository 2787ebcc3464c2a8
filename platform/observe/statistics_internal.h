/* SPDX-License-Identifier: MIT */
/* Private to statistics.c and statistics_state.c. */
#ifndef HD_STATISTICS_INTERNAL_H
#define HD_STATISTICS_INTERNAL_H

#include <stdlib.h>

#include "engine_link.h"
#include "statistics.h"

/* A link on which bytes are counted for an instance. */
typedef struct counted_link {
    const hd_link *link;
    uint32_t value; /* the first of LINK_VALUES */
    uint32_t reserved;
} counted_link;

typedef struct open_kernel {
    uint32_t launch;
    hd_time begin;
    uint64_t *at_begin; /* counts then; maxima of what has passed since */
} open_kernel;

struct hd_statistics {
    const netlist *machine;
    hd_engine *engine;
    const uint32_t *endpoints;
    uint32_t value_count;   /* of all instances */
    uint32_t block_values;  /* of all netlist blocks */
    uint32_t *value_offset; /* by netlist endpoint */
    uint32_t *block_offset; /* by netlist block */
    uint8_t *by_links;      /* by netlist block: it is a memory that does not count its bytes */
    counted_link *links;
    uint32_t link_count;
    uint32_t reserved;

    uint64_t *now;      /* scratch */
    uint64_t *maxima;   /* of the run, up to the last mark */
    uint64_t *busy_now; /* an open_kernel's at_begin, of the busy interval */
    open_kernel *open;
    uint32_t open_count;
    hd_interval *kernels;
    uint32_t kernel_count;
    hd_interval busy;
    hd_time busy_begin;
    hd_interval run;
};

static inline void *zeroed(size_t count, size_t bytes)
{
    void *memory = calloc(count + 1, bytes);
    if (!memory)
        abort();
    return memory;
}

static inline void *enlarged(void *memory, size_t count, size_t bytes)
{
    memory = realloc(memory, count * bytes);
    if (!memory)
        abort();
    return memory;
}

#endif
