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

/* ---- The phases, in each form --------------------------------------------------------------------------------------------- */

enum { FORM_BLOCKS, FORM_TILES, FORM_TILES_APART };

typedef struct run {
    const factors *factors;
    expected expected;
    spgemm_outer_args args;
    uint32_t form, grid, block;
} run;

/* Counters of columns and rows are those of blocks: each block finds once that no column is left, each thread that no row is. */
static void check_phase(const run *r, uint32_t is_merged, const list_rules *rules)
{
    const uint32_t columns = r->args.columns, is_blocks = r->form == FORM_BLOCKS;
    const uint32_t counters[COUNTERS] = {
        [COUNTER_COLUMN] = is_blocks ? ((r->args.inner + columns - 1) / columns + r->grid) * columns : 0,
        [COUNTER_ROW] = is_blocks && is_merged ? r->args.rows + r->grid * r->block : 0,
        [COUNTER_TOP] = rules->top,
        [COUNTER_SPILLED] = is_merged ? r->expected.spilled : 0};
    check_counters(r->args.counters, counters, COUNTERS);
    const uint32_t elements = check_device_lists(r->args.lists, r->args.heap, r->factors, rules);
    hd_report("elements", elements);
}

static void multiply(const run *r)
{
    const uint32_t is_blocks = r->form == FORM_BLOCKS;
    host_launch(is_blocks ? "spgemm_multiply" : "spgemm_multiply_tiles", hd_1d(r->grid), hd_1d(r->block),
                is_blocks ? 16 : 0, &r->args, sizeof r->args);
    check_phase(r, 0, &(list_rules){"multiply", 0, 1, HEAP_BEGIN, r->expected.multiplied});
}

static void merge(const run *r)
{
    const uint32_t is_blocks = r->form == FORM_BLOCKS;
    host_launch(is_blocks ? "spgemm_merge" : "spgemm_merge_tiles", hd_1d(r->grid), hd_1d(r->block),
                is_blocks ? r->block * r->args.heads * (uint32_t)sizeof(merge_head) : 0, &r->args, sizeof r->args);
}

static void run_phases(const run *r)
{
    if (r->form == FORM_TILES) {
        host_launch("spgemm_both_tiles", hd_1d(r->grid), hd_1d(r->block), 0, &r->args, sizeof r->args);
    } else {
        multiply(r);
        merge(r);
    }
    check_phase(r, 1, &(list_rules){"merge", 1, 1, r->expected.multiplied, r->expected.merged});
}

int hd_app_main(void)
{
    static const char *const forms[] = {"blocks", "tiles", "tiles_apart"};
    const factors f = factors_of_options();
    const uint32_t columns = host_option("columns", 8, 1, 65536), heads = host_option("heads", 12, 0, 4096);
    run r = {.factors = &f,
             .expected = expect(&f, heads),
             .form = HOST_CHOICE("form", hd_option_text("form", "blocks"), forms),
             .grid = host_option("grid", 120, 1, 65536),
             .block = host_option("block", 64, 1, 1024)};
    r.args = upload(&f, &r.expected);
    r.args.columns = columns;
    r.args.heads = heads;
    r.args.told = host_filled(0, r.grid * 64); /* of as many tiles as there may be */
    r.block = r.form == FORM_BLOCKS ? r.block : 1;
    run_phases(&r);
    hd_report("products", f.products);
    hd_report("longest_row", sparse_longest_line(&f.a));
    hd_report("most_lists", r.expected.most_nodes);
    return HD_PASS;
}
