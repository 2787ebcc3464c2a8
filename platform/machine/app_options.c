/* SPDX-License-Identifier: MIT */
#include "app_options.h"

#include <stdarg.h>
#include <string.h>

#include "app_declaration.h"

/* word: what was given in place of one of these; NULL: nothing is like it. Returns -1. */
static int __attribute__((format(printf, 4, 5)))
refuse(diagnostics *log, const char *word, const candidates *known, const char *format, ...)
{
    va_list arguments;
    fputs("error: ", log->out);
    va_start(arguments, format);
    vfprintf(log->out, format, arguments);
    va_end(arguments);
    fputc('\n', log->out);
    if (word)
        candidates_suggest(log, word, known);
    return -1;
}

static int unknown(app_options *options, diagnostics *log, const hd_app_declaration *app, const char *name)
{
    const candidates known = hd_app_names(&options->memory, app->options);
    refuse(log, name, &known, "the app has no option '%s'", name);
    if (app->variants && netlist_entry(app->variants, name))
        fprintf(log->out, "note: '%s' is a variant: --set app." HD_APP_VARIANT "=%s\n", name, name);
    return -1;
}

static int check(app_options *options, diagnostics *log, const hd_app_declaration *app, const hd_host_option *given)
{
    uint64_t value;
    const node *option = netlist_find(app->options, given->name);
    if (!option)
        return unknown(options, log, app, given->name);
    if (!hd_host_number(hd_app_default(option), &value) || hd_host_number(given->value, &value))
        return 0;
    return refuse(log, NULL, NULL, "app.%s is '%s'; it must be " HD_HOST_NUMBER_FORM, given->name, given->value);
}

/* What the variant sets, or NULL after it has been said that there is none. */
static const node *variant_settings(app_options *options, diagnostics *log, const hd_app_declaration *app,
                                    const char *variant)
{
    const node *settings = app->variants ? netlist_find(app->variants, variant) : NULL;
    if (settings)
        return settings;
    const candidates known = hd_app_names(&options->memory, app->variants);
    refuse(log, variant, &known,
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

static int expand(app_options *options, diagnostics *log, const hd_app_declaration *app, const hd_host_option *given,
                  uint32_t count)
{
    const hd_host_option *asked = hd_app_variant_given(given, count);
    const node *settings = asked ? variant_settings(options, log, app, asked->value) : NULL;
    if (asked && !settings)
        return -1;
    options->given_count = hd_app_expand_variant(&options->memory, settings, given, count, &options->given);
    for (uint32_t i = 0; app->options && i < options->given_count; i++)
        if (check(options, log, app, &options->given[i]))
            return -1;
    return 0;
}

int app_options_read(app_options *options, FILE *out, const char *folder, const hd_host_option *given,
                     uint32_t given_count)
{
    diagnostics log = {.out = out};
    hd_app_declaration app;
    *options = (app_options){0};
    if (!hd_app_declaration_read(&app, &options->memory, &log, folder) ||
        expand(options, &log, &app, given, given_count))
        return -1;
    if (app.options)
        resolve(options, app.options);
    return 0;
}

void app_options_free(app_options *options)
{
    arena_free(&options->memory);
    *options = (app_options){0};
}
