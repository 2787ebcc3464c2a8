/* SPDX-License-Identifier: MIT */
/* What files of sweeps mean: axes, and the points that they make. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"
#include "world.h"

static sweep read;

static void parse(const char *text)
{
    char *errors, all[2048];
    snprintf(all, sizeof all, "sweep: 1\nname: test\n%s", text);
    read = (sweep){0};
    char *copy = arena_copy(&read.memory, all, strlen(all));
    cr_assert(sweep_parse(&read, "test.yaml", copy, strlen(copy), &errors), "%s", errors);
}

static void expect_points(const char *const *points)
{
    uint32_t count = 0;
    for (; points[count] && count < read.point_count; count++) {
        char *text = sweep_point_text(&read, count);
        cr_expect_str_eq(text, points[count]);
        free(text);
    }
    cr_expect_null(points[count], "no point %s", points[count]);
    cr_expect_eq(read.point_count, count);
    sweep_free(&read);
}
#define expect(...) expect_points((const char *const[]){__VA_ARGS__, NULL})

Test(sweep_files, without_axes_have_one_point)
{
    parse("");
    cr_expect_eq(read.repeat, 1);
    cr_expect_eq(read.statistic_count, 1);
    cr_expect_str_eq(read.statistics[0]->text, "cycles");
    expect("");
}

Test(sweep_files, axes_are_combined_the_last_one_first)
{
    parse("axes: {a.b: [1, 2], c.d: [x, y z]}");
    expect("a.b=1 c.d=x", "a.b=1 c.d=y z", "a.b=2 c.d=x", "a.b=2 c.d=y z");
}

/* Points, settings, and what the other one says of repetitions and statistics. */
Test(sweep_files, that_extend_another_have_its_points)
{
    char *errors, folder[] = "/tmp/heddle_sweep_XXXXXX", base[64], file[64];
    cr_assert(mkdtemp(folder));
    snprintf(base, sizeof base, "%s/base.yaml", folder);
    snprintf(file, sizeof file, "%s/file.yaml", folder);
    world_write(base, "sweep: 1\nname: base\nset: {machine: gtx480}\nrepeat: 3\nstatistics: [l2.hits]\n"
                      "axes: {a.b: [1, 2], c.d: [x, y]}\nexclude: [{a.b: 1, c.d: x}]\n"
                      "published: [{statistic: cycles, value: 1, at: {a.b: 1}, source: A}]\n");
    for (uint32_t says = 0; says < 2; says++) {
        char text[256];
        snprintf(text, sizeof text, "sweep: 1\nname: file\nextends: base.yaml\n%s",
                 says ? "repeat: 2\nstatistics: [l2.misses]\nexclude: [{a.b: 2, c.d: y}]\n"
                        "published: [{statistic: cycles, value: 2, at: {c.d: y}, source: A}]\n"
                      : "");
        world_write(file, text);
        cr_assert(sweep_read(&read, file, &errors), "%s", errors);
        cr_expect_str_eq(read.name, "file");
        cr_expect_str_eq(read.common->value->text, "gtx480");
        cr_expect_eq(read.repeat, says ? 2 : 3);
        cr_expect_str_eq(read.statistics[0]->text, says ? "l2.misses" : "l2.hits");
        cr_expect_eq(read.published_count, says);
        if (says)
            expect("a.b=1 c.d=y", "a.b=2 c.d=x");
        else
            expect("a.b=1 c.d=y", "a.b=2 c.d=x", "a.b=2 c.d=y");
    }
    cr_expect(!remove(base) && !remove(file) && !remove(folder));
}

Test(sweep_files, zip_goes_in_step)
{
    parse("axes: {zip: {a: [1, 2], b: [3, 4]}, c: [5, 6]}");
    expect("a=1 b=3 c=5", "a=1 b=3 c=6", "a=2 b=4 c=5", "a=2 b=4 c=6");
}

Test(sweep_files, products_within_zips_and_lists_of_either)
{
    parse("axes:\n- zip:\n  - {a: [1, 2, 3, 4]}\n  - product: {b: [x, y], c: [p, q]}\n- zip: {d: [7], e: [8]}\n");
    expect("a=1 b=x c=p d=7 e=8", "a=2 b=x c=q d=7 e=8", "a=3 b=y c=p d=7 e=8", "a=4 b=y c=q d=7 e=8");
}

Test(sweep_files, ranges_go_up_by_a_step_or_a_factor_and_keep_their_unit)
{
    parse("axes: {zip: {a: [{from: 4, to: 11, step: 3}], b: [{from: 4 KiB, to: 16 KiB, times: 2}]}}");
    expect("a=4 b=4 KiB", "a=7 b=8 KiB", "a=10 b=16 KiB");
    parse("axes: {a: [1, {from: 18446744073709551614, to: 18446744073709551615, step: 1}]}");
    expect("a=1", "a=18446744073709551614", "a=18446744073709551615");
    parse("axes: {a: [{from: 1, to: 18446744073709551615, times: 18446744073709551615}]}");
    expect("a=1", "a=18446744073709551615");
}

Test(sweep_files, values_with_labels_set_several_paths)
{
    parse("axes: {size: {small: {core.count: 2, core.warps: 8}, large: {}}}");
    const sweep_choice *small = &read.axes[0].choices[0];
    cr_assert_eq(small->count, 2);
    cr_expect_str_eq(small->settings[1].path->text, "core.warps");
    cr_expect_str_eq(small->settings[1].value->text, "8");
    cr_expect_eq(read.axes[0].choices[1].count, 0);
    expect("size=small", "size=large");
}

Test(sweep_files, exclude_leaves_out_what_has_all_that_it_names)
{
    parse("axes: {a: [1, 2, 3], b: [x, y]}\nexclude: [{a: [1, 3], b: x}, {a: 2}]");
    expect("a=1 b=y", "a=3 b=y");
}

Test(sweep_files, machines_are_called_by_name_where_that_tells_them_apart)
{
    parse("axes: {machine: [../m/a.yaml, b, c.yml, x/d.yaml, y/d.yaml]}\nexclude: [{machine: b}, {machine: "
          "../m/a.yaml}]");
    expect("machine=c", "machine=x/d.yaml", "machine=y/d.yaml");
}

Test(sweep_files, published_numbers_are_about_points)
{
    parse("axes: {a: [1, 2], b: [x, y]}\n"
          "published: [{statistic: cycles, value: 1.5e3, at: {a: 2, b: x}, relative_to: {b: y}, source: There}]");
    cr_assert_eq(read.published_count, 1);
    const sweep_published *number = &read.published[0];
    cr_expect_str_eq(number->statistic->text, "cycles");
    cr_expect_float_eq(number->value, 1500, 0);
    cr_expect_str_eq(number->source, "There");
    cr_expect(number->at[0] == 1 && number->at[1] == 0);
    cr_expect(number->relative_to[0] == NETLIST_NONE && number->relative_to[1] == 1);
    sweep_free(&read);
}

/* Points are 7 a + b, but for one that is left out; the base is that of a = 2. */
Test(sweep_files, published_numbers_are_relative_to_the_point_with_the_other_values)
{
    parse("axes: {a: [0, 1, 2, 3, 4], b: [0, 1, 2, 3, 4, 5, 6]}\nexclude: [{a: 2, b: 5}]\n"
          "published: [{statistic: cycles, value: 3, at: {a: 4}, relative_to: {a: 2}, source: There}]");
    for (uint32_t p = 0; p < 34; p++) {
        const uint32_t a = read.picks[2 * p], b = read.picks[2 * p + 1];
        cr_expect_eq(sweep_published_is_of(&read, &read.published[0], p), a == 4);
        cr_expect_eq(sweep_published_base(&read, &read.published[0], p), b == 5 ? NETLIST_NONE : 14 + b - (b > 5),
                     "%u %u", a, b);
    }
    sweep_free(&read);
}

Test(sweep_files, repeat_and_statistics_are_read)
{
    parse("repeat: 7\nstatistics: [cycles, \"core.*\"]\ndescription: of a test");
    cr_expect_eq(read.repeat, 7);
    cr_expect_eq(read.statistic_count, 2);
    cr_expect_str_eq(read.statistics[1]->text, "core.*");
    cr_expect_str_eq(read.description, "of a test");
    sweep_free(&read);
}

Test(sweep_files, many_axes_of_one_value_cost_little)
{
    char text[1900] = "axes: {n: [{from: 1, to: 9999, step: 1}]";
    for (int i = 0; i < 60; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ", a%d: [1]", i);
    strcat(text, "}");
    parse(text);
    cr_expect_eq(read.point_count, 9999);
    cr_expect_eq(read.axis_count, 61);
    sweep_free(&read);
}
