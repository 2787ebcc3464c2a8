/* SPDX-License-Identifier: MIT */
/* check_floor APPS: every app of the benchmark passes on the floor, and where the order of warps cannot matter it takes as
 * many instructions as on a functional core. */
#include <stdio.h>

#include "floor.h"
#include "measure.h"

static const struct {
    const char *app;
    uint32_t depends_on_order;
} checks[] = {{"vecadd", 0}, {"stream", 0},    {"xorshift", 0}, {"matmul", 0},
              {"bfs", 1},    {"hashtable", 1}, {"reduce", 0},   {"atm", 1}};

int main(int count, char **words)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; count == 2 && i < sizeof checks / sizeof *checks; i++) {
        const bench_case which = {.app = checks[i].app, .type = "functional", .cores = 1};
        const floor_result floor = floor_run(words[1], which.app, which.options, 0);
        if (checks[i].depends_on_order)
            continue;
        const bench_run run = bench_measure(words[1], &which);
        if (floor.warp_instructions == run.warp_instructions && floor.thread_instructions == run.thread_instructions)
            continue;
        fprintf(stderr, "%s: %llu warp and %llu thread instructions on the floor, %llu and %llu on a functional core\n",
                which.app, (unsigned long long)floor.warp_instructions, (unsigned long long)floor.thread_instructions,
                (unsigned long long)run.warp_instructions, (unsigned long long)run.thread_instructions);
        wrong = 1;
    }
    return count != 2 || wrong;
}
