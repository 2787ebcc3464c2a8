/* SPDX-License-Identifier: MIT */
/* Area and power of six units, beside Table 6.3 of the thesis. */
#include "structures.h"

#include "bench.h"

typedef struct total {
    double square_millimetres, milliwatts;
} total;

/* In proportion to bytes, as estimates do. */
static total total_of(const char *const *parameters)
{
    hd_value values[PARAMETER_COUNT];
    total total = {0, 0};
    kit_values(&hd_commit_unit_kilo, parameters, values);
    for (uint32_t i = 0; i < KILO_STRUCTURES; i++) {
        const hd_structure *structure = &hd_commit_unit_kilo.structures[i];
        const double share =
            structure->bytes(&(hd_structure_use){.values = values, .count = 6}) / structure->reference_bytes;
        total.square_millimetres += share * structure->square_millimetres;
        total.milliwatts += share * structure->milliwatts;
    }
    return total;
}

static void expect(const char *const *parameters, double square_millimetres, double milliwatts)
{
    const total total = total_of(parameters);
    cr_expect_float_eq(total.square_millimetres, square_millimetres, 0.005, "%g mm²", total.square_millimetres);
    cr_expect_float_eq(total.milliwatts, milliwatts, 1.0, "%g mW", total.milliwatts);
}

Test(kilo_unit, structures_are_those_of_the_thesis)
{
    cr_assert_eq(hd_commit_unit_kilo.structure_count, KILO_STRUCTURES);
    expect((const char *[]){NULL}, 1.454, 918);
    /* The thesis says 2512 mW for WarpTM, 534 more than its parts. */
    expect((const char *[]){"coalesce=32 B", NULL}, 5.07, 6 * (6.3 + 6.6 + 57.5 + 260));
    expect((const char *[]){"tcd=true", NULL}, 1.454 + 6 * 0.078, 918 + 6 * 52.3);
    const total whole = total_of((const char *[]){NULL}), small = total_of((const char *[]){"history=lwh512", NULL});
    cr_expect_lt(small.milliwatts, whole.milliwatts - 60);
    cr_expect_lt(total_of((const char *[]){"entries=960", NULL}).milliwatts, whole.milliwatts - 170);
    expect((const char *[]){"history=lwh", NULL}, 1.454, 918);
    expect((const char *[]){"history=perfect", NULL}, 6 * (0.094 + 0.128), 6 * (57.5 + 82.5));
    expect((const char *[]){"validate=nothing", NULL}, 6 * (0.094 + 0.128), 6 * (57.5 + 82.5));
}
