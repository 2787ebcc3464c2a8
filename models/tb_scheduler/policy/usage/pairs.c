/* SPDX-License-Identifier: MIT */
/*
 * The table helps as far as a block uses what the one with its number has used in the launch of the kernel before (Beaumont 2019 §3.6.2,
 * Figure 3.12). Statistics have the sums of which a correlation is computed. No hardware keeps them.
 */
#include "tables.h"
#include "usage.h"

#define KERNEL_STEP 5003u /* entries between the first blocks of two kernels */

static const struct {
    uint32_t metric, earlier, later, earlier_squares, later_squares, products; /* statistics */
} rows[] = {
#define ROW(metric)                                                                                                    \
    {                                                                                                                  \
        USAGE_##metric, USAGE_EARLIER_##metric, USAGE_LATER_##metric, USAGE_EARLIER_SQUARES_##metric,                  \
            USAGE_LATER_SQUARES_##metric, USAGE_PRODUCTS_##metric                                                      \
    }
    ROW(MEMORY), ROW(FLOAT), ROW(DEMAND)};

static void add_up(uint64_t *statistics, const usage_levels *earlier, const usage_levels *later)
{
    statistics[USAGE_PAIRS]++;
    for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const uint64_t before = earlier->of[rows[i].metric], after = later->of[rows[i].metric];
        statistics[rows[i].earlier] += before;
        statistics[rows[i].later] += after;
        statistics[rows[i].earlier_squares] += before * before;
        statistics[rows[i].later_squares] += after * after;
        statistics[rows[i].products] += before * after;
    }
}

void usage_pair(usage *u, const usage_block *block, const usage_levels *levels)
{
    const uint64_t place = block->entry + (uint64_t)block->kernel * KERNEL_STEP;
    usage_former *former = &u->former[place % u->settings.entries];
    if (former->owner == block->owner && former->kernel == block->kernel)
        add_up(u->table_statistics, &former->levels, levels);
    *former = (usage_former){.owner = block->owner, .kernel = block->kernel, .levels = *levels};
}
