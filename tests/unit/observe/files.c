/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "counting.h"
#include "output_file.h"
#include "results.h"

static hd_results results_of(counting *rig)
{
    return (hd_results){.statistics = rig->statistics,
                        .app = "app",
                        .seed = 3,
                        .status = "pass",
                        .message = "",
                        .simulated = 5000,
                        .host = {.seconds = 1.5, .tlm = "auto"}};
}

Test(files, are_replaced_whole)
{
    char folder[] = "/tmp/heddle-test.XXXXXX", path[64], *error = NULL;
    counting rig;
    json_error_t why;
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/stats.json", folder);
    FILE *old = fopen(path, "w");
    fputs("old", old);
    fclose(old);
    counting_open(&rig);
    counting_values(&rig, 0)[COUNTING_EVENTS] = 42;
    hd_statistics_finish(rig.statistics, 5000);
    hd_results results = results_of(&rig);
    cr_expect(hd_results_file_check(path, &error));
    cr_expect(hd_results_file_write(path, &results, &error));
    json_t *json = json_load_file(path, 0, &why);
    cr_assert(json, "%s", why.text);
    json_t *total = json_object_get(json_object_get(json_object_get(json, "blocks"), "core"), "total");
    cr_expect_eq(json_integer_value(json_object_get(total, "warp_instructions")), 42);
    json_decref(json);
    cr_expect_eq(unlink(path), 0);
    cr_expect_eq(rmdir(folder), 0, "something else was left in the folder");
    counting_close(&rig);
}

Test(files, that_cannot_be_written_are_said_so)
{
    char *error = NULL;
    counting rig;
    counting_open(&rig);
    hd_statistics_finish(rig.statistics, 1);
    hd_results results = results_of(&rig);
    cr_expect_not(hd_results_file_check("/no/such/folder/stats.json", &error));
    cr_expect(error && strstr(error, "/no/such/folder/stats.json: No such file"));
    free(error);
    error = NULL;
    cr_expect_not(hd_results_file_write("/no/such/folder/stats.json", &results, &error));
    cr_expect(error && strstr(error, "No such file"));
    free(error);
    cr_expect_not(hd_results_file_check("/tmp", &error));
    free(error);
    counting_close(&rig);
}

Test(files, that_are_pipes_or_devices_are_written_to_and_stay_what_they_are)
{
    char folder[] = "/tmp/heddle-test.XXXXXX", path[64], first, *error = NULL;
    counting rig;
    struct stat there;
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDWR | O_NONBLOCK);
    counting_open(&rig);
    hd_statistics_finish(rig.statistics, 1);
    hd_results results = results_of(&rig);
    cr_expect(hd_results_file_check(path, &error));
    cr_expect(hd_results_file_write(path, &results, &error));
    cr_expect_eq(read(reader, &first, 1), 1);
    cr_expect_eq(first, '{');
    cr_expect(!stat(path, &there) && S_ISFIFO(there.st_mode));
    close(reader);
    unlink(path);
    cr_expect_eq(rmdir(folder), 0, "something else was left in the folder");
    counting_close(&rig);
}

static void *read_later(void *path)
{
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
    const int reader = open(path, O_RDONLY);
    char first = 0;
    if (read(reader, &first, 1) != 1)
        first = 0;
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* the writer is not alone before it is done */
    close(reader);
    return (void *)(intptr_t)first;
}

Test(files, that_are_pipes_wait_for_a_reader_but_not_for_ever)
{
    char folder[] = "/tmp/heddle-test.XXXXXX", path[64];
    pthread_t thread;
    void *first = NULL;
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/pipe", folder);
    cr_assert_eq(mkfifo(path, 0600), 0);
    pthread_create(&thread, NULL, read_later, path);
    output_file *file = output_file_open(path);
    output_file_put(file, "a", 1);
    cr_expect(output_file_finish(file));
    pthread_join(thread, &first);
    cr_expect_eq((intptr_t)first, 'a');
    cr_expect_not(output_file_finish(output_file_open(path)));
    cr_expect_str_eq(output_file_reason(errno), "it is a pipe that nobody reads");
    unlink(path);
    rmdir(folder);
}

Test(files, are_json_whatever_the_app_says)
{
    counting rig;
    counting_open(&rig);
    hd_statistics_finish(rig.statistics, 1);
    hd_results results = results_of(&rig);
    const hd_host_option options[] = {{"n", "8 KiB"}, {"name", "text"}};
    results.message = "bad \xff byte";
    results.options = options;
    results.option_count = 2;
    json_t *json = hd_results_json(&results);
    cr_expect_str_eq(json_string_value(json_object_get(json, "message")), "bad \\xFF byte");
    json_t *given = json_object_get(json_object_get(json, "app"), "options");
    cr_expect_eq(json_integer_value(json_object_get(given, "n")), 8192);
    cr_expect_str_eq(json_string_value(json_object_get(given, "name")), "text");
    json_decref(json);
    counting_close(&rig);
}

Test(files, a_kernel_has_cycles_if_it_is_complete)
{
    counting rig;
    counting_open(&rig);
    hd_host_launch launches[] = {{.kernel = "k", .complete = 1, .start_cycle = 10, .end_cycle = 17}, {.kernel = "k"}};
    hd_statistics_kernel_begin(rig.statistics, 0, 100);
    hd_statistics_kernel_end(rig.statistics, 0, 200);
    hd_statistics_kernel_begin(rig.statistics, 1, 300);
    hd_statistics_finish(rig.statistics, 400);
    hd_results results = results_of(&rig);
    results.launches = launches;
    results.launch_count = 2;
    json_t *json = hd_results_json(&results), *kernels = json_object_get(json, "kernels");
    const json_t *ended = json_array_get(kernels, 0), *cut = json_array_get(kernels, 1);
    cr_expect(json_is_true(json_object_get(ended, "complete")));
    cr_expect_eq(json_integer_value(json_object_get(ended, "cycles")), 7);
    cr_expect(json_is_false(json_object_get(cut, "complete")));
    cr_expect_null(json_object_get(cut, "cycles"));
    cr_expect_eq(json_integer_value(json_object_get(cut, "end_ps")), 400);
    json_decref(json);
    counting_close(&rig);
}

Test(files, hold_every_report_under_its_own_name)
{
    counting rig;
    static char longer[2][601];
    memset(longer, 'a', sizeof longer - 1);
    longer[0][600] = longer[1][600] = '\0';
    longer[1][599] = 'b';
    counting_open(&rig);
    hd_statistics_finish(rig.statistics, 1);
    hd_results results = results_of(&rig);
    const hd_host_report reports[] = {
        {"caf\xe9", 1},      {"caf\xe8", 2}, {"caf\xc3\xa9", 3},     {"a\\\xff", 4},
        {"a\\xFF", 5},       {longer[0], 6}, {longer[1], INT64_MAX}, {"one more", UINT64_C(1) << 63},
        {"most", UINT64_MAX}};
    results.reports = reports;
    results.report_count = sizeof reports / sizeof *reports;
    results.seed = UINT64_MAX;
    json_t *json = hd_results_json(&results), *told = json_object_get(json_object_get(json, "app"), "reports");
    cr_expect_eq(json_object_size(told), results.report_count, "reports are lost");
    cr_expect_eq(json_integer_value(json_object_get(told, "caf\\xE9")), 1);
    cr_expect_eq(json_integer_value(json_object_get(told, "caf\\xE8")), 2);
    cr_expect_eq(json_integer_value(json_object_get(told, "caf\xc3\xa9")), 3);
    cr_expect_eq(json_integer_value(json_object_get(told, "a\\\\\\xFF")), 4);
    cr_expect_eq(json_integer_value(json_object_get(told, "a\\xFF")), 5);
    cr_expect_eq(json_integer_value(json_object_get(told, longer[0])), 6);
    cr_expect_eq(json_integer_value(json_object_get(told, longer[1])), INT64_MAX);
    cr_expect_str_eq(json_string_value(json_object_get(told, "one more")), "9223372036854775808");
    cr_expect_str_eq(json_string_value(json_object_get(told, "most")), "18446744073709551615");
    cr_expect_str_eq(json_string_value(json_object_get(json, "seed")), "18446744073709551615");
    json_decref(json);
    counting_close(&rig);
}
