/* SPDX-License-Identifier: MIT */
#include "../spgemm_outer/inputs.h"
#include "../spgemm_outer/one_node.h"
#include "args.h"

/* The kernel does not know how many places of a row are not empty before it has seen all. */
static uint32_t columns_at_most(const factors *f, uint32_t row)
{
    return f->a.first[row] == f->a.first[row + 1] ? 0 : f->b.across;
}

int hd_app_main(void)
{
    const factors f = factors_of_options();
    const uint32_t grid = host_option("grid", 120, 1, 65536), block = host_option("block", 64, 1, 1024);
    const one_node c = one_node_new(&f, columns_at_most);
    const sparse b = sparse_transposed(&f.b);
    const uint32_t counters[COUNTERS] = {[COUNTER_TOP] = HEAP_BEGIN};
    const size_t a_bytes = (f.a.count + 1) * sizeof(uint32_t), b_bytes = (b.count + 1) * sizeof(uint32_t);
    const spgemm_inner_args args = {.a_first = host_upload(f.a.first, (f.a.lines + 1) * sizeof(uint32_t)),
                                    .a_columns = host_upload(f.a.index, a_bytes),
                                    .a_values = host_upload(f.a.value, a_bytes),
                                    .b_first = host_upload(b.first, (b.lines + 1) * sizeof(uint32_t)),
                                    .b_rows = host_upload(b.index, b_bytes),
                                    .b_values = host_upload(b.value, b_bytes),
                                    .lists = c.lists,
                                    .heap = c.heap,
                                    .counters = host_upload(counters, sizeof counters),
                                    .rows = f.a.lines,
                                    .columns = b.lines};
    host_launch("spgemm_inner", hd_1d(grid), hd_1d(block), 16, &args, sizeof args);
    /* Each block finds once that no row is left. */
    const uint32_t expected[COUNTERS] = {[COUNTER_ROW] = args.rows + grid, [COUNTER_TOP] = c.top};
    check_counters(args.counters, expected, COUNTERS);
    hd_report("products", f.products);
    hd_report("elements", one_node_check(&c, &f, 0));
    return HD_PASS;
}
