/* SPDX-License-Identifier: MIT */
/* The summary of a machine of given blocks whose statistics have given values. */
#ifndef PAGE_H
#define PAGE_H

#include <stdint.h>

#define PAGE_STATISTICS 20u

typedef struct page_block {
    const char *kind, *type, *name;
    uint32_t count;
    uint32_t clock; /* 0: 1 GHz, 1: 2 GHz */
    uint64_t lanes, bus_bytes;
    struct {
        const char *name; /* NULL: the end */
        uint64_t value;   /* of all instances together, while a kernel runs */
        uint32_t when;    /* as hd_statistic's; parameters are lanes and bus_bytes */
    } statistics[PAGE_STATISTICS];
} page_block;

/* Text, to be freed. A kernel "k" of a block of 64 threads runs from 10 to 20 ns of a run of 40 ns. Outside of that every
 * statistic of instance 0 counts 1000 more on either side. blocks end with one without a kind. app: NULL for a run without
 * one, and then there is no kernel. */
char *page_of(const page_block *blocks, const char *app);

#endif
