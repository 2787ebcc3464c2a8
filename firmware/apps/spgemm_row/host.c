/* SPDX-License-Identifier: MIT */
#include "../spgemm_outer/inputs.h"
#include "../spgemm_outer/one_node.h"
#include "args.h"

static uint32_t columns_at_most(const factors *f, uint32_t row)
{
    const uint64_t products = products_of(f, row);
    return products < f->b.across ? (uint32_t)products : f->b.across;
}

/* Slots of a table in memory: for the row that has most columns, if the scratchpad has no room for it. */
static uint32_t table_slots(const factors *f, uint32_t slots)
{
    uint32_t most = 0;
    for (uint32_t row = 0; row < f->a.lines; row++) {
        const uint32_t columns = columns_at_most(f, row);
        most = columns > most ? columns : most;
    }
    return row_slots(most) > slots ? row_slots(most) : 0;
}

int hd_app_main(void)
{
    const factors f = factors_of_options();
    const uint32_t grid = host_option("grid", 120, 1, 65536), block = host_option("block", 32, 1, 1024);
    const uint32_t slots = host_option("slots", 512, 2, 1u << 20);
    hd_check((slots & (slots - 1)) == 0, "option slots is %u; it must be a power of two", slots);
    const one_node c = one_node_new(&f, columns_at_most);
    const uint32_t counters[COUNTERS] = {[COUNTER_TOP] = HEAP_BEGIN};
    const size_t first_bytes = (f.a.lines + 1) * sizeof(uint32_t);
    const size_t a_bytes = (f.a.count + 1) * sizeof(uint32_t), b_bytes = (f.b.count + 1) * sizeof(uint32_t);
    const uint32_t in_memory = table_slots(&f, slots);
    const spgemm_row_args args = {.a_first = host_upload(f.a.first, first_bytes),
                                  .a_columns = host_upload(f.a.index, a_bytes),
                                  .a_values = host_upload(f.a.value, a_bytes),
                                  .b_first = host_upload(f.b.first, (f.b.lines + 1) * sizeof(uint32_t)),
                                  .b_columns = host_upload(f.b.index, b_bytes),
                                  .b_values = host_upload(f.b.value, b_bytes),
                                  .lists = c.lists,
                                  .heap = c.heap,
                                  .tables = host_filled(0, ((size_t)grid * in_memory + 1) * sizeof(row_slot)),
                                  .counters = host_upload(counters, sizeof counters),
                                  .rows = f.a.lines,
                                  .columns = f.b.across,
                                  .table_slots = in_memory,
                                  .slots = slots};
    host_launch("spgemm_row", hd_1d(grid), hd_1d(block), 16 + slots * (uint32_t)sizeof(row_slot), &args, sizeof args);
    /* Each block finds once that no row is left. */
    const uint32_t expected[COUNTERS] = {[COUNTER_ROW] = args.rows + grid, [COUNTER_TOP] = c.top};
    check_counters(args.counters, expected, COUNTERS);
    hd_report("products", f.products);
    hd_report("elements", one_node_check(&c, &f, 0));
    return HD_PASS;
}
