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

#define LEVELS_MAX 32 /* a row has less than 2^32 nodes, and pieces have 2 at least */

/* What both phases should leave. */
typedef struct expected {
    uint32_t nodes, most_nodes; /* of all rows, and of one */
    uint32_t multiplied;        /* tops of the heap: */
    uint32_t merged_least; /* without rows that are split, of which nobody knows how many pairs their pieces have */
    uint32_t merged;       /* at most */
    uint32_t aside;        /* at most, of nodes that are merged once more */
    uint32_t pieces, split;
    uint32_t pieces_of[LEVELS_MAX], split_of[LEVELS_MAX]; /* of these, by how often their row was split before */
} expected;

/* A row of more nodes than a thread has heads: pieces, of what has become of them pieces, and so on. */
static void expect_split(expected *e, uint32_t nodes, uint32_t products, uint32_t heads)
{
    for (uint32_t pieces, level = 0; nodes > heads; nodes = pieces, level++) {
        pieces = (nodes + heads - 1) / heads;
        e->pieces += pieces - 1; /* but for the one that the row's own item is */
        e->pieces_of[level] += pieces - 1;
        e->split++;
        e->split_of[level]++;
        e->aside += pieces * NODE_WORDS(0) + PAIR_WORDS * products;
    }
}

static expected expect(const factors *f, uint32_t heads)
{
    expected e = {.multiplied = HEAP_BEGIN};
    uint32_t merged = 0, whole = 0;
    for (uint32_t row = 0; row < f->a.lines; row++) {
        const uint32_t nodes = nodes_of_row(f, row), products = (uint32_t)products_of(f, row);
        const uint32_t words = nodes ? NODE_WORDS(products) : 0;
        e.nodes += nodes;
        e.most_nodes = nodes > e.most_nodes ? nodes : e.most_nodes;
        merged += words;
        whole += nodes > heads ? 0 : words;
        expect_split(&e, nodes, products, heads);
    }
    e.multiplied += e.nodes * NODE_WORDS(0) + PAIR_WORDS * (uint32_t)f->products;
    e.merged_least = e.multiplied + whole;
    e.merged = e.multiplied + merged;
    e.aside += e.merged;
    return e;
}

static spgemm_outer_args upload(const factors *f, const expected *e)
{
    sparse a = sparse_transposed(&f->a);
    const size_t first_bytes = (a.lines + 1) * sizeof(uint32_t);
    const size_t a_bytes = (a.count + 1) * sizeof(uint32_t), b_bytes = (f->b.count + 1) * sizeof(uint32_t);
    const uint32_t counters[COUNTERS] = {[COUNTER_TOP] = HEAP_BEGIN, [COUNTER_ASIDE] = e->merged};
    const spgemm_outer_args args = {.a_first = host_upload(a.first, first_bytes),
                                    .a_rows = host_upload(a.index, a_bytes),
                                    .a_values = host_upload(a.value, a_bytes),
                                    .b_first = host_upload(f->b.first, first_bytes),
                                    .b_columns = host_upload(f->b.index, b_bytes),
                                    .b_values = host_upload(f->b.value, b_bytes),
                                    .lists = host_filled(0, f->a.lines * sizeof(uint32_t)),
                                    .heap = host_poisoned((size_t)e->aside * sizeof(uint32_t)),
                                    .pieces = host_poisoned((e->pieces + 1) * sizeof(merge_piece)),
                                    .split = host_poisoned((e->split + 1) * sizeof(uint32_t)),
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
    uint32_t counters[COUNTERS]; /* as they should be */
} run;

/* Two counters of merge depend on who was first: each is an even number of words in its range. */
static void check_counter(run *r, uint32_t number, uint32_t value, uint32_t is_merged)
{
    const expected *e = &r->expected;
    const uint32_t is_top = number == COUNTER_TOP, least = is_top ? e->merged_least : e->merged;
    if (is_merged && (is_top || number == COUNTER_ASIDE) && value >= least &&
        value <= (is_top ? e->merged : e->aside) && value % 2 == 0)
        r->counters[number] = value;
    host_check_word("counters", number, value, r->counters[number]);
}

static void check_phase(run *r, uint32_t is_merged)
{
    uint32_t *counters = host_download(r->args.counters, sizeof r->counters);
    for (uint32_t i = 0; i < COUNTERS; i++)
        check_counter(r, i, counters[i], is_merged);
    hd_host_free(counters);
    const list_rules rules = {.phase = is_merged ? "merge" : "multiply",
                              .is_merged = is_merged,
                              .is_ordered = 1,
                              .begin = is_merged ? r->expected.multiplied : HEAP_BEGIN,
                              .top = r->counters[COUNTER_TOP]};
    hd_report("elements", check_device_lists(r->args.lists, r->args.heap, r->factors, &rules));
}

/* Each block finds once that no column is left. */
static void multiply(run *r)
{
    const uint32_t columns = r->args.columns, is_blocks = r->form == FORM_BLOCKS;
    host_launch(is_blocks ? "spgemm_multiply" : "spgemm_multiply_tiles", hd_1d(r->grid), hd_1d(r->block),
                is_blocks ? 16 : 0, &r->args, sizeof r->args);
    r->counters[COUNTER_COLUMN] = is_blocks ? ((r->args.inner + columns - 1) / columns + r->grid) * columns : 0;
    check_phase(r, 0);
}

/* Each thread finds once that no item is left. */
static void merge_items(run *r, uint32_t source, uint32_t first, uint32_t end)
{
    r->args.source = source;
    r->args.first = first;
    r->args.end = end;
    r->args.taken = r->counters[COUNTER_ITEM];
    hd_wait(host_launch("spgemm_merge", hd_1d(r->grid), hd_1d(r->block),
                        r->block * r->args.heads * (uint32_t)sizeof(merge_head), &r->args, sizeof r->args));
    r->counters[COUNTER_ITEM] += end - first + r->grid * r->block;
}

/* Rows, and pieces of those that are split; then what has become of their pieces, until no row is split. */
static void merge_blocks(run *r)
{
    const expected *e = &r->expected;
    merge_items(r, MERGE_ROWS, 0, r->args.rows);
    for (uint32_t level = 0, pieces = 0, split = 0; split < e->split; level++) {
        merge_items(r, MERGE_PIECES, pieces, pieces + e->pieces_of[level]);
        pieces += e->pieces_of[level];
        merge_items(r, MERGE_SPLIT, split, split + e->split_of[level]);
        split += e->split_of[level];
    }
}

static void merge_tiles(const run *r, const char *kernel)
{
    host_launch(kernel, hd_1d(r->grid), hd_1d(r->block), 0, &r->args, sizeof r->args);
}

static void run_phases(run *r)
{
    if (r->form != FORM_TILES)
        multiply(r);
    if (r->form == FORM_BLOCKS)
        merge_blocks(r);
    else
        merge_tiles(r, r->form == FORM_TILES ? "spgemm_both_tiles" : "spgemm_merge_tiles");
    r->counters[COUNTER_PIECES] = r->expected.pieces;
    r->counters[COUNTER_SPLIT] = r->expected.split;
    check_phase(r, 1);
}

int hd_app_main(void)
{
    static const char *const forms[] = {"blocks", "tiles", "tiles_apart"};
    const factors f = factors_of_options();
    const uint32_t columns = host_option("columns", 8, 1, 65536), heads = host_option("heads", 12, 2, 4096);
    run r = {
        .factors = &f,
        .expected = expect(&f, heads),
        .form = HOST_CHOICE("form", hd_option_text("form", "blocks"), forms),
        .grid = host_option("grid", 120, 1, 65536),
        .block = host_option("block", 64, 1, 1024),
    };
    r.counters[COUNTER_TOP] = r.expected.multiplied;
    r.counters[COUNTER_ASIDE] = r.expected.merged;
    r.args = upload(&f, &r.expected);
    r.args.columns = columns;
    r.args.heads = heads;
    r.args.told = host_filled(0, r.grid * 64); /* of as many tiles as there may be */
    r.block = r.form == FORM_BLOCKS ? r.block : 1;
    hd_report("products", f.products);
    run_phases(&r);
    hd_report("longest_row", sparse_longest_line(&f.a));
    hd_report("most_lists", r.expected.most_nodes);
    return HD_PASS;
}
