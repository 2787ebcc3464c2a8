/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static const hd_block_class built_in = {.abi_version = HD_ABI_VERSION,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = "test_block",
                                        .type = "built_in",
                                        .doc = "a class of the program"};
static const hd_block_class *const classes[] = {&built_in};

netlist_registry rig_built_in(void)
{
    return (netlist_registry){.classes = classes, .count = 1};
}

static char *filled_in(const char *text, const char *path)
{
    char *filled = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&filled, &bytes);
    for (; *text; text++) {
        if (*text == '@')
            fputs(path, out);
        else
            fputc(*text, out);
    }
    fclose(out);
    return filled;
}

void rig_expect_refusal_of(hd_plugins *plugins, const char *path, uint32_t number, const char *text)
{
    char *refusal;
    size_t before = hd_plugins_registry(plugins).count;
    uint32_t got = hd_plugins_load(plugins, path, &refusal);
    char *expected = filled_in(text, path);
    cr_expect_eq(got, number, "%s: number %u, not %u: %s", path, got, number, refusal ? refusal : "");
    cr_expect(refusal && strcmp(refusal, expected) == 0, "%s\n--- expected\n%s\n--- got\n%s", path, expected,
              refusal ? refusal : "");
    cr_expect_eq(hd_plugins_registry(plugins).count, before);
    free(expected);
    free(refusal);
}

void rig_expect_refusal(const char *path, uint32_t number, const char *text)
{
    hd_plugins *plugins = hd_plugins_create(rig_built_in(), NULL, 0);
    rig_expect_refusal_of(plugins, path, number, text);
    hd_plugins_destroy(plugins);
}

void rig_expect_loaded(hd_plugins *plugins, const char *path)
{
    char *refusal;
    cr_assert_eq(hd_plugins_load(plugins, path, &refusal), 0, "%s", refusal);
    cr_expect_null(refusal);
}
