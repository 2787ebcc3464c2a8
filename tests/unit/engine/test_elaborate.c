/* SPDX-License-Identifier: MIT */
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "hd_message.h"
#include "network.h"
#include "probe.h"

typedef struct lines {
    char text[1024];
} lines;

static void keep(void *context, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void keep(void *context, const char *format, ...)
{
    lines *lines = context;
    va_list arguments;
    va_start(arguments, format);
    const size_t used = strlen(lines->text);
    vsnprintf(lines->text + used, sizeof lines->text - used - 1, format, arguments);
    strcat(lines->text, "\n");
    va_end(arguments);
}

static void expect_errors(hd_engine *engine, const char *text)
{
    lines lines = {0};
    hd_engine_provide(engine, PROBE_SCRIPT, &(probe_script){0});
    const uint32_t errors = hd_engine_elaborate(engine, &(hd_text_sink){.context = &lines, .line = keep});
    uint32_t expected = 0;
    for (const char *c = text; *c; c++)
        expected += *c == '\n';
    cr_expect_str_eq(lines.text, text);
    cr_expect_eq(errors, expected);
    hd_engine_destroy(engine);
}

Test(elaborate, all_errors_are_told_at_once)
{
    hd_engine *engine = hd_engine_create();
    network_add(engine, &example_sink, "sink", 1000000000, NULL);
    network_add(engine, &example_delayer, "delayer", 1000000000,
                (const char *[]){"least=9 cycles", "most=3 cycles", NULL});
    expect_errors(engine, "sink: port in needs at least 1 elements and has 0\n"
                          "delayer: port in needs at least 1 elements and has 0\n"
                          "delayer: port out needs at least 1 elements and has 0\n"
                          "delayer: most is less than least\n");
}

Test(elaborate, an_element_is_bound_once)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    const uint32_t b = probe_add(engine, "b");
    probe_link(engine, a, 0, b, 0, 1, 1, 1);
    probe_link(engine, a, 1, b, 0, 1, 1, 1);
    expect_errors(engine, "b: port in[0] is bound twice\n");
}

Test(elaborate, elements_have_no_gaps_and_stay_within_the_declaration)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    const uint32_t b = probe_add(engine, "b");
    probe_link(engine, a, 1, b, 0, 1, 1, 1);
    probe_link(engine, a, 4, b, 1, 1, 1, 1);
    expect_errors(engine, "a: port out has at most 4 elements, not 5\n"
                          "a: port out[0] is not bound, but a later element is\n");
}

Test(elaborate, directions_and_protocols_have_to_fit)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    const uint32_t b = probe_add(engine, "b");
    network_link(engine, a, PROBE_MEMORY, 0, b, PROBE_IN, 0, 1, 1, 1);
    network_link(engine, a, PROBE_OUT, 0, b, PROBE_OUT, 0, 1, 1, 1);
    expect_errors(engine, "a link of a joins ports whose directions or protocols do not fit\n"
                          "a link of a joins ports whose directions or protocols do not fit\n");
}

Test(elaborate, latency_and_credits_are_at_least_one)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    probe_link(engine, a, 0, a, 0, 0, 1, 1);
    probe_link(engine, a, 0, a, 0, 1, 0, 1);
    probe_link(engine, a, 0, a, 0, 1, 1, 0);
    probe_link(engine, a, 0, a, 0, 1, 1, 1);
    expect_errors(engine, "a link of a has a latency, credit latency or credits of 0\n"
                          "a link of a has a latency, credit latency or credits of 0\n"
                          "a link of a has a latency, credit latency or credits of 0\n");
}

Test(elaborate, another_version_of_the_interface_is_refused)
{
    hd_engine *engine = hd_engine_create();
    hd_block_class old = probe_class;
    old.abi_version = HD_ABI_VERSION + 1;
    hd_engine_add_block(engine, &old, "old", 0, 1, (hd_clock){1000}, NULL);
    expect_errors(engine, "old: probe/plain was built for version 2 of the block interface, this is version 1\n");
}

Test(elaborate, routes_lead_through_forwarding_blocks_by_the_fewest_hops)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    const hd_clock clock = {1000000000};
    const uint32_t near = hd_engine_add_block(engine, &probe_forwarder_class, "near", 0, 1, clock, NULL);
    const uint32_t far = hd_engine_add_block(engine, &probe_forwarder_class, "far", 0, 1, clock, NULL);
    const uint32_t wall = probe_add(engine, "wall");
    const uint32_t b = probe_add(engine, "b");
    const uint32_t c = probe_add(engine, "c");
    probe_link(engine, a, 0, far, 0, 1, 1, 1);
    probe_link(engine, far, 0, near, 0, 1, 1, 1);
    probe_link(engine, a, 1, near, 1, 1, 1, 1);
    probe_link(engine, near, 0, b, 0, 1, 1, 1);
    probe_link(engine, a, 2, wall, 0, 1, 1, 1);
    probe_link(engine, wall, 0, c, 0, 1, 1, 1);
    probe_start(engine, &(probe_script){0});
    const hd_services *services = hd_engine_services(engine, a);
    cr_expect_eq(services->route(services->context, PROBE_OUT, b), 1, "not by way of far");
    cr_expect_eq(services->route(services->context, PROBE_OUT, far), 0);
    cr_expect_eq(services->route(services->context, PROBE_OUT, wall), 2);
    cr_expect_eq(services->route(services->context, PROBE_OUT, c), UINT32_MAX, "wall does not forward");
    cr_expect_eq(services->route(services->context, PROBE_OUT, 1000), UINT32_MAX);
    cr_expect_eq(services->route(services->context, PROBE_IN, b), UINT32_MAX, "not a send port");
    services = hd_engine_services(engine, far);
    cr_expect_eq(services->route(services->context, PROBE_OUT, b), 0);
    hd_engine_destroy(engine);
}

static uint32_t add_of_kind(hd_engine *engine, hd_block_class *class, const char *kind, uint32_t index, uint32_t count)
{
    *class = probe_class;
    class->kind = kind;
    return hd_engine_add_block(engine, class, kind, index, count, (hd_clock){1000000000}, NULL);
}

Test(elaborate, units_of_a_partition_are_found_by_kind_and_index)
{
    enum { COUNT = 2 };
    hd_engine *engine = hd_engine_create();
    hd_block_class slice, validation;
    uint32_t slices[COUNT], validations[COUNT];
    const uint32_t a = probe_add(engine, "a");
    for (uint32_t i = 0; i < COUNT; i++)
        slices[i] = add_of_kind(engine, &slice, "my_slice", i, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        validations[i] = add_of_kind(engine, &validation, "validation_unit", i, COUNT);
    probe_start(engine, &(probe_script){0});
    const hd_services *services = hd_engine_services(engine, a);
    const hd_units *units = services->extension(services->context, HD_EXTENSION_UNITS);
    cr_assert_not_null(units);
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_expect_eq(units->endpoint(units->context, slices[i], HD_DESTINATION_DEFAULT), slices[i]);
        cr_expect_eq(units->endpoint(units->context, slices[i], HD_DESTINATION_L2_SLICE), slices[i]);
        cr_expect_eq(units->endpoint(units->context, slices[i], HD_DESTINATION_VALIDATION_UNIT), validations[i]);
        cr_expect_eq(units->endpoint(units->context, validations[i], HD_DESTINATION_VALIDATION_UNIT), validations[i]);
        cr_expect_eq(units->endpoint(units->context, slices[i], HD_DESTINATION_COMMIT_UNIT), UINT32_MAX);
        cr_expect_eq(units->endpoint(units->context, slices[i], 77), slices[i]);
    }
    hd_engine_destroy(engine);
}

/* Of blocks whose declaration depends on a value, those count that have it. */
Test(elaborate, receivers_of_a_message_may_depend_on_a_value)
{
    static const hd_parameter choice = {
        .name = "told", .type = HD_TYPE_CHOICE, .standard = "no", .choices = "no|yes", .doc = "is told"};
    static const hd_message_use received = {"test.told/1", HD_MESSAGE_RECEIVED, HD_MESSAGE_WHEN(0, 1), "in"};
    hd_engine *engine = hd_engine_create();
    hd_block_class receiver = probe_class;
    receiver.parameters = &choice;
    receiver.parameter_count = 1;
    receiver.messages = &received;
    receiver.message_count = 1;
    const hd_value no = {.text = "no"}, yes = {.u = 1, .text = "yes"};
    hd_engine_add_block(engine, &receiver, "first", 0, 1, (hd_clock){1000000000}, &no);
    const uint32_t second = hd_engine_add_block(engine, &receiver, "second", 0, 1, (hd_clock){1000000000}, &yes);
    probe_start(engine, &(probe_script){0});
    const hd_services *services = hd_engine_services(engine, second);
    const hd_receivers *receivers = services->extension(services->context, HD_EXTENSION_RECEIVERS);
    cr_expect_eq(receivers->next(receivers->context, services->message(services->context, "test.told/1"), 0), second);
    hd_engine_destroy(engine);
}

Test(elaborate, receivers_of_a_message_are_found_by_their_declarations)
{
    static const hd_message_use received = {"test.told/1", HD_MESSAGE_RECEIVED, 0, "in"};
    static const hd_message_use sent = {"test.told/1", HD_MESSAGE_SENT, 0, "out"};
    hd_engine *engine = hd_engine_create();
    hd_block_class receiver = probe_class, sender = probe_class;
    receiver.messages = &received;
    sender.messages = &sent;
    receiver.message_count = sender.message_count = 1;
    const uint32_t first = hd_engine_add_block(engine, &receiver, "first", 0, 1, (hd_clock){1000000000}, NULL);
    hd_engine_add_block(engine, &sender, "sender", 0, 1, (hd_clock){1000000000}, NULL);
    const uint32_t second = hd_engine_add_block(engine, &receiver, "second", 0, 1, (hd_clock){1000000000}, NULL);
    probe_start(engine, &(probe_script){0});
    const hd_services *services = hd_engine_services(engine, first);
    const hd_receivers *receivers = services->extension(services->context, HD_EXTENSION_RECEIVERS);
    const uint32_t told = services->message(services->context, "test.told/1");
    cr_expect_eq(receivers->next(receivers->context, told, 0), first);
    cr_expect_eq(receivers->next(receivers->context, told, first + 1), second);
    cr_expect_eq(receivers->next(receivers->context, told, second + 1), UINT32_MAX);
    hd_engine_destroy(engine);
}

Test(elaborate, a_route_can_be_given)
{
    hd_engine *engine = hd_engine_create();
    const uint32_t a = probe_add(engine, "a");
    const uint32_t b = probe_add(engine, "b");
    probe_link(engine, a, 0, b, 0, 1, 1, 1);
    probe_link(engine, a, 1, b, 1, 1, 1, 1);
    hd_engine_set_route(engine, a, PROBE_OUT, b, 1);
    hd_engine_set_route(engine, a, PROBE_OUT, 300, 0);
    probe_start(engine, &(probe_script){0});
    const hd_services *services = hd_engine_services(engine, a);
    cr_expect_eq(services->route(services->context, PROBE_OUT, b), 1);
    cr_expect_eq(services->route(services->context, PROBE_OUT, 300), 0);
    hd_engine_destroy(engine);
}

Test(elaborate, blocks_are_found_by_name_and_extensions_by_id)
{
    hd_engine *engine = hd_engine_create();
    probe_add(engine, "a");
    const uint32_t b = hd_engine_add_block(engine, &probe_class, "b[2]", 2, 5, (hd_clock){7000}, NULL);
    probe_start(engine, &(probe_script){0});
    cr_expect_eq(hd_engine_find_block(engine, "b[2]"), b);
    cr_expect_eq(hd_engine_find_block(engine, "b"), HD_NO_BLOCK);
    const hd_services *services = hd_engine_services(engine, b);
    cr_expect_eq(services->index, 2);
    cr_expect_eq(services->count, 5);
    cr_expect_eq(services->endpoint, b);
    cr_expect_eq(services->clock.hz, 7000);
    cr_expect_str_eq(services->name, "b[2]");
    cr_expect_null(services->extension(services->context, "no.such/1"));
    cr_expect_not_null(services->extension(services->context, HD_EXTENSION_RENDEZVOUS));
    hd_engine_destroy(engine);
}
