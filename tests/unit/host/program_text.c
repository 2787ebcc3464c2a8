/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>

#include "rig.h"

static int read_options(void)
{
    hd_check(hd_option("missing", 7) == 7, "default");
    hd_check(hd_option("decimal", 0) == 8000, "decimal");
    hd_check(hd_option("hexadecimal", 0) == 0x1F40, "hexadecimal");
    hd_check(hd_option("thousands", 0) == 800000, "thousands");
    hd_check(hd_option("binary", 0) == 3 << 20, "binary");
    hd_check(hd_option("last", 0) == 2, "the last of a name counts");
    hd_check(strcmp(hd_option_text("text", "a"), "b c") == 0, "text");
    hd_check(strcmp(hd_option_text("no_text", "a"), "a") == 0, "default text");
    return HD_PASS;
}

Test(host, options_are_numbers_with_suffixes_or_text)
{
    const hd_host_option options[] = {
        {"decimal", "8000"}, {"hexadecimal", "0x1F40"}, {"thousands", "800K"}, {"binary", "3 MiB"}, {"last", "1"},
        {"last", "2"},       {"text", "b c"},           {NULL, NULL},
    };
    rig_expect(read_options, options, HD_HOST_PASS, "");
}

static int read_size(void)
{
    hd_option("size", 1);
    hd_option("seed", 1);
    hd_launch(hd_kernel_named("first"), hd_1d(1), hd_1d(1), 0, NULL, 0);
    return HD_FAIL;
}

Test(host, a_misspelt_option_is_an_error_before_the_first_launch)
{
    const hd_host_option options[] = {{"sizee", "3"}, {NULL, NULL}};
    rig_expect(read_size, options, HD_HOST_ERROR, "the app has no option 'sizee'; it has: size, seed");
}

static int pass(void)
{
    return HD_PASS;
}

Test(host, a_misspelt_option_of_a_program_without_launches_is_an_error_at_its_end)
{
    const hd_host_option options[] = {{"size", "3"}, {NULL, NULL}};
    rig_expect(pass, options, HD_HOST_ERROR, "the app has no option 'size'; it has: none");
}

Test(host, options_that_are_no_numbers_are_errors)
{
    static const char *const bad[] = {
        "", "x", "-1", "12q", "0x", "1.5", "8 KB", "99999999999999999999", "20000000000G"};
    for (uint32_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const hd_host_option options[] = {{"size", bad[i]}, {NULL, NULL}};
        char expected[200];
        snprintf(expected, sizeof expected,
                 "option 'size' is '%s', expected a number such as 8000, 0x1F40, 8K or 8 KiB", bad[i]);
        rig_expect(read_size, options, HD_HOST_ERROR, expected);
    }
}

static int return_three(void)
{
    return 3;
}

static int fail_deep_inside(void)
{
    hd_host_alloc(1000);
    hd_check(1 + 1 == 2, "not this");
    hd_check(1 + 1 == 3, "%d is not %d", 1 + 1, 3);
    return HD_PASS;
}

Test(host, a_wrong_answer_is_a_failure)
{
    rig_expect(return_three, NULL, HD_HOST_FAIL, "the program returned 3");
    rig_expect(fail_deep_inside, NULL, HD_HOST_FAIL, "2 is not 3");
}

static int talk(void)
{
    hd_print("%s %u", "hello", 1u);
    hd_print("with newline\n");
    hd_report("b", 1);
    hd_report("a", 2);
    hd_report("b", 3);
    return HD_PASS;
}

Test(host, lines_and_numbers_reach_the_platform)
{
    rig *r = rig_create(NULL, talk, NULL);
    cr_expect_eq(rig_run(r), HD_HOST_PASS);
    cr_expect_str_eq(r->printed, "hello 1\nwith newline\n");
    uint32_t count;
    const hd_host_report *reports = hd_host_native_reports(kit_instance(r->kit), &count);
    cr_assert_eq(count, 2);
    cr_expect_str_eq(reports[0].name, "b");
    cr_expect_eq(reports[0].value, 3);
    cr_expect_str_eq(reports[1].name, "a");
    cr_expect_eq(reports[1].value, 2);
    rig_destroy(r);
}

static int use_host_memory(void)
{
    uint8_t *blocks[20];
    for (uint32_t i = 0; i < 20; i++) {
        blocks[i] = hd_host_alloc(i * 100);
        for (uint32_t k = 0; k < i * 100; k++)
            hd_check(blocks[i][k] == 0, "host memory is zeroed");
        memset(blocks[i], 0xFF, i * 100);
    }
    for (uint32_t i = 0; i < 20; i += 2)
        hd_host_free(blocks[i]);
    hd_host_free(NULL);
    uint64_t random = 1;
    hd_check(hd_random(&random) == UINT64_C(0x910A2DEC89025CC1), "splitmix64 of 1");
    return HD_PASS;
}

Test(host, host_memory_is_zeroed_and_released)
{
    rig_expect(use_host_memory, NULL, HD_HOST_PASS, "");
}
