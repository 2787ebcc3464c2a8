/* SPDX-License-Identifier: MIT */
#include "app_options.h"

#include <stdio.h>
#include <string.h>

#include "app_declaration.h"
#include "command.h"

static int unknown(app_options *options, const hd_app_declaration *app, const char *name)
{
    const candidates known = hd_app_names(&options->memory, app->options);
    hd_usage_error(name, known.names, known.count, "the app has no option '%s'", name);
    if (app->variants && netlist_entry(app->variants, name))
        fprintf(stderr, "note: '%s' is a variant: --set app." HD_APP_VARIANT "=%s\n", name, name);
    return HD_EXIT_USAGE;
}

static int check(app_options *options, const hd_app_declaration *app, const hd_host_option *given)
{
    uint64_t value;
    const node *option = netlist_find(app->options, given->name);
    if (!option)
        return unknown(options, app, given->name);
    if (!hd_host_number(hd_app_default(option), &value) || hd_host_number(given->value, &value))
        return HD_EXIT_PASS;
    return hd_usage_error(NULL, NULL, 0, "app.%s is '%s'; it must be " HD_HOST_NUMBER_FORM, given->name, given->value);
}

/* What the variant sets, or NULL after it has been said that there is none. */
static const node *variant_settings(app_options *options, const hd_app_declaration *app, const char *variant)
{
    const node *settings = app->variants ? netlist_find(app->variants, variant) : NULL;
    if (settings)
        return settings;
    const candidates known = hd_app_names(&options->memory, app->variants);
    hd_usage_error(variant, known.names, known.count,
                   known.count ? "app '%s' has no variant '%s'" : "app '%s' has no variants, and so no '%s'", app->name,
                   variant);
    return NULL;
}

static void resolve(app_options *options, const node *declared)
{
    options->inputs = arena_alloc(&options->memory, declared->count * sizeof *options->inputs + 1);
    for (; options->count < declared->count; options->count++) {
        const entry *option = &declared->entries[options->count];
        hd_host_option *input = &options->inputs[options->count];
        *input = (hd_host_option){.name = option->key->text, .value = hd_app_default(option->value)};
        for (uint32_t i = 0; i < options->given_count; i++)
            if (!strcmp(options->given[i].name, input->name))
                input->value = options->given[i].value;
    }
}

static int expand(app_options *options, const hd_app_declaration *app, const hd_host_option *given, uint32_t count)
{
    const hd_host_option *asked = hd_app_variant_given(given, count);
    const node *settings = asked ? variant_settings(options, app, asked->value) : NULL;
    if (asked && !settings)
        return HD_EXIT_USAGE;
    options->given_count = hd_app_expand_variant(&options->memory, settings, given, count, &options->given);
    for (uint32_t i = 0; app->options && i < options->given_count; i++)
        if (check(options, app, &options->given[i]))
            return HD_EXIT_USAGE;
    return HD_EXIT_PASS;
}

int app_options_read(app_options *options, const char *folder, const hd_host_option *given, uint32_t given_count)
{
    diagnostics log = {.out = stderr};
    hd_app_declaration app;
    *options = (app_options){0};
    if (!hd_app_declaration_read(&app, &options->memory, &log, folder) || expand(options, &app, given, given_count))
        return HD_EXIT_USAGE;
    if (app.options)
        resolve(options, app.options);
    return HD_EXIT_PASS;
}

void app_options_free(app_options *options)
{
    arena_free(&options->memory);
    *options = (app_options){0};
}
