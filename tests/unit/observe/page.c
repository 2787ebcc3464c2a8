/* SPDX-License-Identifier: MIT */
#include "page.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

#define BLOCKS_MAX 8u
#define INSTANCES_MAX 16u
#define OUTSIDE 1000u

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    return calloc(PAGE_STATISTICS, sizeof(uint64_t));
}

static void reset(hd_block *block)
{
    memset(block, 0, PAGE_STATISTICS * sizeof(uint64_t));
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    return (const uint64_t *)block;
}

static void destroy(hd_block *block)
{
    free(block);
}

static const hd_parameter parameters[] = {
    {.name = "lanes", .type = HD_TYPE_UNSIGNED, .standard = "32", .doc = "lanes"},
    {.name = "bus_bytes", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_BYTES, .standard = "32 B", .doc = "bus"},
};

typedef struct page {
    hd_engine *engine;
    netlist machine;
    netlist_clock clocks[2];
    netlist_block blocks[BLOCKS_MAX];
    hd_block_class classes[BLOCKS_MAX];
    hd_statistic statistics[BLOCKS_MAX][PAGE_STATISTICS];
    hd_value values[BLOCKS_MAX][2];
    uint32_t endpoints[INSTANCES_MAX];
} page;

static void declare(page *page, uint32_t b, const page_block *from)
{
    hd_statistic *statistics = page->statistics[b];
    uint32_t count = 0;
    for (; count < PAGE_STATISTICS && from->statistics[count].name; count++)
        statistics[count] = (hd_statistic){from->statistics[count].name, "things", HD_STATISTIC_COUNT,
                                           from->statistics[count].when, "things"};
    page->classes[b] = (hd_block_class){.abi_version = HD_ABI_VERSION,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = from->kind,
                                        .type = from->type,
                                        .doc = "counts",
                                        .source = "",
                                        .parameter_count = 2,
                                        .statistic_count = count,
                                        .parameters = parameters,
                                        .statistics = statistics,
                                        .create = create,
                                        .reset = reset,
                                        .advance = advance,
                                        .counters = counters,
                                        .destroy = destroy};
    page->values[b][0].u = from->lanes;
    page->values[b][1].u = from->bus_bytes;
}

static void add(page *page, const page_block *from)
{
    const uint32_t b = page->machine.block_count++, first = page->machine.endpoint_count;
    cr_assert(b < BLOCKS_MAX && first + from->count <= INSTANCES_MAX);
    declare(page, b, from);
    page->blocks[b] = (netlist_block){.name = from->name,
                                      .block_class = &page->classes[b],
                                      .count = from->count,
                                      .is_array = from->count > 1,
                                      .clock = from->clock,
                                      .first_endpoint = first,
                                      .values = page->values[b]};
    for (uint32_t i = 0; i < from->count; i++) {
        page->endpoints[first + i] = first + i;
        hd_engine_add_block(page->engine, &page->classes[b], from->name, i, from->count,
                            (hd_clock){page->clocks[from->clock].hz}, page->values[b]);
    }
    page->machine.endpoint_count += from->count;
}

static uint64_t *values_of(const page *page, uint32_t b, uint32_t instance)
{
    return (uint64_t *)hd_engine_block(page->engine, page->blocks[b].first_endpoint + instance);
}

static void count_outside(const page *page)
{
    for (uint32_t b = 0; b < page->machine.block_count; b++)
        for (uint32_t i = 0; i < page->classes[b].statistic_count; i++)
            values_of(page, b, 0)[i] += OUTSIDE;
}

/* The last instance has what is left. */
static void count_inside(const page *page, const page_block *blocks)
{
    for (uint32_t b = 0; b < page->machine.block_count; b++)
        for (uint32_t i = 0; i < page->classes[b].statistic_count; i++) {
            const uint64_t half = blocks[b].count > 1 ? blocks[b].statistics[i].value / 3 : 0;
            values_of(page, b, 0)[i] += half;
            values_of(page, b, blocks[b].count - 1)[i] += blocks[b].statistics[i].value - half;
        }
}

static char *printed(const hd_results *results)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    hd_results_summary(results, out);
    fclose(out);
    return text;
}

char *page_of(const page_block *blocks, const char *app)
{
    static page page;
    page =
        (struct page){.engine = hd_engine_create(), .clocks = {{"slow", 1000000000, {0}}, {"fast", 2000000000, {0}}}};
    page.machine = (netlist){.name = "page",
                             .description = "of the test",
                             .file = "page.yaml",
                             .clock_count = 2,
                             .clocks = page.clocks,
                             .blocks = page.blocks,
                             .address_map = {.block = NETLIST_NONE},
                             .limit = HD_NEVER};
    for (const page_block *at = blocks; at->kind; at++)
        add(&page, at);
    cr_assert_eq(hd_engine_elaborate(page.engine, NULL), 0);
    hd_engine_reset(page.engine, 1);
    hd_statistics *statistics = hd_statistics_create(&page.machine, page.engine, page.endpoints);
    const hd_host_launch launch = {.kernel = "k",
                                   .grid_size = {1, 1, 1},
                                   .block_size = {16, 2, 2},
                                   .complete = 1,
                                   .start_cycle = 100,
                                   .end_cycle = 110};
    count_outside(&page);
    if (app)
        hd_statistics_kernel_begin(statistics, 0, 10000);
    count_inside(&page, blocks);
    if (app)
        hd_statistics_kernel_end(statistics, 0, 20000);
    count_outside(&page);
    hd_statistics_finish(statistics, 40000);
    char *text = printed(&(hd_results){.statistics = statistics,
                                       .app = app,
                                       .status = "pass",
                                       .message = "",
                                       .simulated = 40000,
                                       .launches = &launch,
                                       .launch_count = app ? 1 : 0,
                                       .host = {.seconds = 0.5}});
    hd_statistics_destroy(statistics);
    hd_engine_destroy(page.engine);
    return text;
}
