/* SPDX-License-Identifier: MIT */
#include "args.h"
#include "reference.h"

/* Elements of A whose rows of B have elements: as many nodes are made. */
static uint32_t nodes_of_row(const factors *f, uint32_t row)
{
    uint32_t nodes = 0;
    for (uint32_t i = f->a.first[row]; i < f->a.first[row + 1]; i++)
        nodes += f->b.first[f->a.index[i]] != f->b.first[f->a.index[i] + 1];
    return nodes;
}

/* What both phases should leave in the counters. */
typedef struct expected {
    uint32_t nodes, most_nodes;  /* of all rows, and of one */
    uint32_t multiplied, merged; /* tops of the heap */
    uint32_t spilled;
} expected;

static expected expect(const factors *f, uint32_t heads)
{
    expected e = {.multiplied = HEAP_BEGIN};
    uint32_t merged = 0;
    for (uint32_t row = 0; row < f->a.lines; row++) {
        const uint32_t nodes = nodes_of_row(f, row), products = (uint32_t)products_of(f, row);
        e.nodes += nodes;
        e.most_nodes = nodes > e.most_nodes ? nodes : e.most_nodes;
        e.spilled += nodes > heads ? nodes - heads : 0;
        merged += nodes ? NODE_WORDS(products) : 0;
    }
    e.multiplied += e.nodes * NODE_WORDS(0) + PAIR_WORDS * (uint32_t)f->products;
    e.merged = e.multiplied + merged;
    return e;
}

static spgemm_outer_args upload(const factors *f, const expected *e)
{
    sparse a = sparse_transposed(&f->a);
    const size_t first_bytes = (a.lines + 1) * sizeof(uint32_t);
    const size_t a_bytes = (a.count + 1) * sizeof(uint32_t), b_bytes = (f->b.count + 1) * sizeof(uint32_t);
    const uint32_t counters[COUNTERS] = {[COUNTER_TOP] = HEAP_BEGIN};
    const spgemm_outer_args args = {.a_first = host_upload(a.first, first_bytes),
                                    .a_rows = host_upload(a.index, a_bytes),
                                    .a_values = host_upload(a.value, a_bytes),
                                    .b_first = host_upload(f->b.first, first_bytes),
                                    .b_columns = host_upload(f->b.index, b_bytes),
                                    .b_values = host_upload(f->b.value, b_bytes),
                                    .lists = host_filled(0, f->a.lines * sizeof(uint32_t)),
                                    .heap = host_poisoned((size_t)e->merged * sizeof(uint32_t)),
                                    .spilled = host_poisoned((e->spilled + 1) * sizeof(merge_head)),
                                    .counters = host_upload(counters, sizeof counters),
                                    .inner = f->a.across,
                                    .rows = f->a.lines};
    sparse_free(&a);
    return args;
}

/* Each block finds once that no column is left, each thread that no row is. */
int hd_app_main(void)
{
    const factors f = factors_of_options();
    const uint32_t grid = host_option("grid", 120, 1, 65536), block = host_option("block", 64, 1, 1024);
    const uint32_t columns = host_option("columns", 8, 1, 65536), heads = host_option("heads", 12, 0, 4096);
    const expected e = expect(&f, heads);
    spgemm_outer_args args = upload(&f, &e);
    args.columns = columns;
    args.heads = heads;
    uint32_t counters[COUNTERS] = {
        [COUNTER_COLUMN] = ((args.inner + columns - 1) / columns + grid) * columns, [COUNTER_TOP] = e.multiplied};

    host_launch("spgemm_multiply", hd_1d(grid), hd_1d(block), 16, &args, sizeof args);
    check_counters(args.counters, counters, COUNTERS);
    check_device_lists(args.lists, args.heap, &f, &(list_rules){"multiply", 0, 1, HEAP_BEGIN, e.multiplied});

    host_launch("spgemm_merge", hd_1d(grid), hd_1d(block), block * heads * (uint32_t)sizeof(merge_head), &args,
                sizeof args);
    counters[COUNTER_ROW] = args.rows + grid * block;
    counters[COUNTER_TOP] = e.merged;
    counters[COUNTER_SPILLED] = e.spilled;
    check_counters(args.counters, counters, COUNTERS);
    const uint32_t elements =
        check_device_lists(args.lists, args.heap, &f, &(list_rules){"merge", 1, 1, e.multiplied, e.merged});
    hd_report("products", f.products);
    hd_report("elements", elements);
    hd_report("longest_row", sparse_longest_line(&f.a));
    hd_report("most_lists", e.most_nodes);
    return HD_PASS;
}
