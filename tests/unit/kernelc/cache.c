/* SPDX-License-Identifier: MIT */
/* Results of earlier times: only for the same. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiling.h"
#include "work_folder.h"

static const char text[] = "#include \"value.h\"\n__kernel void f(__global int *a) { if (a[0] = VALUE) a[1] = 2; }";

static void write_value(const char *folder, const char *value)
{
    char path[512];
    snprintf(path, sizeof path, "%s/value.h", folder);
    cr_assert(file_write(path, value, strlen(value)));
}

/* Whether it came from the cache; the log is the same both times. */
static int is_cached(const char *folder, const char *options)
{
    char path[512], cache[512];
    kernelc_output made;
    snprintf(path, sizeof path, "%s/f.cl", folder);
    snprintf(cache, sizeof cache, "%s/cache", folder);
    const kernelc_input input = {
        .name = path, .data = text, .bytes = sizeof text - 1, .options = options, .cache = cache};
    cr_assert_eq(heddle_kernelc_compile(&input, &made), KERNELC_DONE, "%s", made.log);
    cr_expect(made.log && strstr(made.log, "warning: using the result of an assignment"), "%s", made.log);
    const int cached = made.is_from_cache;
    heddle_kernelc_free(&made);
    return cached;
}

Test(cache, has_what_is_the_same)
{
    char *folder = work_folder_make();
    write_value(folder, "#define VALUE 1\n");
    cr_expect_eq(is_cached(folder, ""), 0);
    cr_expect_eq(is_cached(folder, ""), 1);
    cr_expect_eq(is_cached(folder, "-DA"), 0);
    write_value(folder, "#define VALUE 2\n");
    cr_expect_eq(is_cached(folder, ""), 0, "what it includes has changed");
    cr_expect_eq(is_cached(folder, ""), 1);
    work_folder_remove(folder);
}

Test(cache, that_cannot_be_written_is_none)
{
    kernelc_output made;
    static const char one[] = "__kernel void f(__global int *a) { a[0] = 1; }";
    const kernelc_input input = {.data = one, .bytes = sizeof one - 1, .cache = "/proc/none"};
    cr_expect_eq(heddle_kernelc_compile(&input, &made), KERNELC_DONE, "%s", made.log);
    heddle_kernelc_free(&made);
}
