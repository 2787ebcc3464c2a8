/* SPDX-License-Identifier: MIT */
/* A plug-in whose one block crashes, or ends the process, where its parameter says. */
#include "hd_plugin.h"

#include <stdlib.h>
#include <unistd.h>

#define AT(where) (values_at == (where))
enum { AT_NOTHING, AT_CREATE, AT_RESET, AT_ADVANCE, AT_ABORT, AT_CREATE_EXIT, AT_EXIT, AT_AT_ONCE };

static const hd_parameter parameters[] = {{.name = "at",
                                           .type = HD_TYPE_CHOICE,
                                           .standard = "nothing",
                                           .choices = "nothing|create|reset|advance|abort|create_exit|exit|_exit",
                                           .doc = "where it crashes, or ends the process"}};
static uint64_t values_at;
/* Not NULL: what sanitizers say of that ends the process in their own way. */
static volatile uint32_t *volatile nowhere = (volatile uint32_t *)64;

static hd_block *create(const hd_services *services, const hd_value *values, char *error, size_t error_bytes)
{
    (void)services, (void)error, (void)error_bytes;
    values_at = values[0].u;
    if (AT(AT_CREATE))
        *nowhere = 1;
    if (AT(AT_CREATE_EXIT))
        exit(0);
    return (hd_block *)&values_at;
}

static void connect(hd_block *block, uint32_t port, uint32_t element, hd_link *out, hd_link *in)
{
    (void)block, (void)port, (void)element, (void)out, (void)in;
}

static void reset(hd_block *block)
{
    (void)block;
    if (AT(AT_RESET))
        *nowhere = 1;
}

static hd_time advance(hd_block *block, hd_time now, hd_time horizon)
{
    (void)block, (void)now, (void)horizon;
    if (AT(AT_ADVANCE))
        *nowhere = 1;
    if (AT(AT_ABORT))
        abort();
    if (AT(AT_EXIT))
        exit(0);
    if (AT(AT_AT_ONCE))
        _exit(0);
    return HD_NEVER;
}

static const uint64_t *counters(hd_block *block)
{
    (void)block;
    return NULL;
}

static void destroy(hd_block *block)
{
    (void)block;
}

static const hd_block_class crashing = {.abi_version = HD_ABI_VERSION,
                                        .struct_bytes = sizeof(hd_block_class),
                                        .kind = "spare",
                                        .type = "crashing",
                                        .doc = "crashes",
                                        .source = "written for these tests",
                                        .parameter_count = 1,
                                        .parameters = parameters,
                                        .create = create,
                                        .connect = connect,
                                        .reset = reset,
                                        .advance = advance,
                                        .counters = counters,
                                        .destroy = destroy};

static const hd_block_class *const classes[] = {&crashing};
HD_PLUGIN_ENTRY = {.abi_version = HD_ABI_VERSION,
                   .struct_bytes = sizeof(hd_plugin),
                   .name = "crashing",
                   .version = "1.0",
                   .licence = "MIT",
                   .class_count = 1,
                   .classes = classes};
