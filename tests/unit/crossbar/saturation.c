/* SPDX-License-Identifier: MIT */
/*
 * What a saturated network carries: every input always has a packet, one flit long, for an output that is as likely as any
 * other. Karol, Hluchyj and Morgan 1987, Table I: 0.75, 0.6553 and 0.6184 of N = 2, 4 and 8 FIFO queues.
 */
#include "load_bench.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

enum { CYCLES = 6000 };

static double saturation(const hd_block_class *type, const char *const *parameters, uint32_t ports, uint64_t seed)
{
    const load_result result = load_run(&(load){.type = type,
                                                .parameters = parameters,
                                                .inputs = ports,
                                                .outputs = ports,
                                                .offered = LOAD_SATURATED,
                                                .flits = 1,
                                                .cycles = CYCLES,
                                                .seed = seed});
    return result.carried;
}

/* Five times the deviation of a mean of so many; neighbouring cycles depend on each other, which makes it larger. */
static double tolerance(double expected, uint32_t ports)
{
    return 5 * sqrt(expected * (1 - expected) / (CYCLES * (double)ports)) + 0.002;
}

Test(crossbar_saturation, fifo_queues_carry_what_head_of_line_blocking_leaves)
{
    static const struct {
        uint32_t ports;
        double carried;
    } expected[] = {{2, 0.75}, {4, 0.6553}, {8, 0.6184}};
    const uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    static const hd_block_class *const types[] = {&hd_crossbar_round_robin, &hd_crossbar_islip};
    for (size_t type = 0; type < 2; type++)
        for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
            const double carried =
                saturation(types[type], (const char *[]){"queues=fifo", NULL}, expected[i].ports, seed);
            printf("%s, %u FIFO queues: %.4f, expected %.4f\n", types[type]->type, expected[i].ports, carried,
                   expected[i].carried);
            cr_expect_float_eq(carried, expected[i].carried, tolerance(expected[i].carried, expected[i].ports));
        }
}

Test(crossbar_saturation, islip_with_virtual_output_queues_carries_nearly_everything)
{
    const uint64_t seed = (uint64_t)time(NULL);
    printf("seed %llu\n", (unsigned long long)seed);
    for (uint32_t ports = 2; ports <= 8; ports *= 2)
        for (uint32_t iterations = 1; iterations <= 2; iterations++) {
            char text[40];
            snprintf(text, sizeof text, "iterations=%u", iterations);
            const double carried =
                saturation(&hd_crossbar_islip, (const char *[]){text, "queue_depth=256", NULL}, ports, seed);
            printf("islip, %u ports, %u iterations: %.4f\n", ports, iterations, carried);
            cr_expect_geq(carried, 0.97);
        }
}

Test(crossbar_saturation, speed_up_of_fifo_queues_makes_up_for_head_of_line_blocking)
{
    const double one = saturation(&hd_crossbar_round_robin, NULL, 8, 1);
    const double two = saturation(&hd_crossbar_round_robin, (const char *[]){"input_speedup=2", NULL}, 8, 1);
    printf("8 FIFO queues, speed-up 1: %.4f, 2: %.4f\n", one, two);
    cr_expect_gt(two, one + 0.1);
}

/* More rounds find more pairs. */
Test(crossbar_saturation, iterations_of_islip_match_more)
{
    const load load = {
        .type = &hd_crossbar_islip, .inputs = 8, .outputs = 8, .offered = 900, .flits = 1, .cycles = CYCLES, .seed = 3};
    struct load more = load;
    const char *const parameters[] = {"iterations=4", "queue_depth=256", NULL};
    struct load few = load;
    const char *const one[] = {"iterations=1", "queue_depth=256", NULL};
    few.parameters = one;
    more.parameters = parameters;
    cr_expect_lt(load_run(&more).latency, load_run(&few).latency);
}
