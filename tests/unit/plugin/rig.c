/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "compose.h"

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)values, (void)error, (void)error_bytes;
    return NULL;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
}

static void nothing(hd_block *block)
{
    (void)block;
}

static hd_time never(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static const hd_parameter parameters[] = {
    {.name = "toy", .type = HD_TYPE_CHOICE, .standard = "plain", .doc = "which toy it has"},
};
/* What the interface test.toy/1 says that a toy has. */
typedef struct toy_unit {
    void (*turn)(void);
    void (*wind)(void); /* with this, also: */
    void (*unwind)(void);
    void (*sing)(void); /* with the ability "songs" */
} toy_unit;
static void no_turn(void)
{
}
static const toy_unit plain_functions = {.turn = no_turn};
static const hd_unit_function toy_functions[] = {
    HD_UNIT_FUNCTION(toy_unit, turn),
    HD_UNIT_FUNCTION_WITH(toy_unit, unwind, wind),
    HD_UNIT_FUNCTION_FOR(toy_unit, sing, "songs"),
};
static const hd_unit plain = {.abi_version = HD_ABI_VERSION,
                              .struct_bytes = sizeof(hd_unit),
                              .kind = "toy",
                              .name = "plain",
                              .doc = "a toy of the program",
                              .interface = "test.toy/1",
                              .functions = &plain_functions};
static const hd_unit *const toys[] = {&plain};
static const hd_unit_slot slots[] = {
    {.kind = "toy",
     .interface = "test.toy/1",
     .parameter = 0,
     .units = toys,
     .unit_count = 1,
     .functions = toy_functions,
     .function_count = sizeof toy_functions / sizeof *toy_functions},
};
static const hd_block_class built_in = {.abi_version = HD_ABI_VERSION,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = "test_block",
                                        .type = "built_in",
                                        .doc = "a class of the program",
                                        .source = "a test",
                                        .create = create,
                                        .connect = connect,
                                        .reset = nothing,
                                        .advance = never,
                                        .counters = counters,
                                        .destroy = nothing,
                                        .parameters = parameters,
                                        .parameter_count = 1,
                                        .unit_slots = slots,
                                        .unit_slot_count = 1};

netlist_registry rig_built_in(void)
{
    static const hd_block_class *classes[] = {NULL};
    if (!classes[0])
        classes[0] = units_compose(&built_in, NULL, 0);
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
