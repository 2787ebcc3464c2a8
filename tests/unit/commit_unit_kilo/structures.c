/* SPDX-License-Identifier: MIT */
/* Area and power of six units, beside Table 6.3 of the thesis, and Table V of Ren & Lis. */
#include "structures.h"

#include <string.h>

#include "bench.h"

typedef struct total {
    double square_millimetres, milliwatts;
} total;

/* In proportion to bytes, as estimates do, of what is published in that process. */
static total total_in(const char *process, const char *const *parameters)
{
    hd_value values[PARAMETER_COUNT];
    total total = {0, 0};
    kit_values(&hd_commit_unit_kilo, parameters, values);
    for (uint32_t i = 0; i < KILO_STRUCTURES; i++) {
        const hd_structure *structure = &hd_commit_unit_kilo.structures[i];
        if (strcmp(structure->process, process) != 0)
            continue;
        const double share =
            structure->bytes(&(hd_structure_use){.values = values, .count = 6}) / structure->reference_bytes;
        total.square_millimetres += share * structure->square_millimetres;
        total.milliwatts += share * structure->milliwatts;
    }
    return total;
}

static total total_of(const char *const *parameters)
{
    return total_in("40 nm", parameters);
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

/* Without what the cores have: 0.375 and 0.6 mm², 113.25 and 153.3 mW. Its last-written table is one of 16 KB for all units. */
Test(kilo_unit, structures_are_those_of_ren_and_lis)
{
    const total warptm = total_in("32 nm", (const char *[]){"coalesce=32 B", NULL});
    cr_expect_float_eq(warptm.square_millimetres, 0.108 + 0.03 + 0.402 + 1.734, 1e-9);
    cr_expect_float_eq(warptm.milliwatts, 21.84 + 12 + 100.62 + 132.48, 1e-9);
    const total tcd = total_in("32 nm", (const char *[]){"coalesce=32 B", "tcd=true", NULL});
    cr_expect_float_eq(tcd.square_millimetres - warptm.square_millimetres, 6 * 0.031, 1e-9);
    cr_expect_float_eq(tcd.milliwatts - warptm.milliwatts, 6 * 9.86, 1e-9);
    for (uint32_t told = 0; told < 2; told++) {
        const char *broadcast = told ? "broadcast=signatures" : "broadcast=words";
        const total eapg = total_in("32 nm", (const char *[]){"coalesce=32 B", broadcast, NULL});
        cr_expect_float_eq(eapg.square_millimetres - warptm.square_millimetres, 0.294, 1e-9);
        cr_expect_float_eq(eapg.milliwatts - warptm.milliwatts, 75.6, 1e-9);
    }
}
