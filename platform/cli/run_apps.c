/* SPDX-License-Identifier: MIT */
#include "run_apps.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "app_build.h"
#include "app_folder.h"
#include "command.h"

#define PREFIX "app"

/* "app.": 1; "app3.": 3; 0: it is no option of an app. *name is what follows. */
static uint32_t app_of(const char *set, const char **name)
{
    if (strncmp(set, PREFIX, strlen(PREFIX)) != 0)
        return 0;
    const char *number = set + strlen(PREFIX);
    char *end = (char *)(uintptr_t)number;
    const unsigned long app = isdigit((unsigned char)*number) ? strtoul(number, &end, 10) : 1;
    if (*end != '.' || (end > number && app < 2))
        return 0;
    *name = end + 1;
    return app < UINT32_MAX ? (uint32_t)app : UINT32_MAX;
}

static int add_option(run_apps *apps, const char *set, uint32_t app, char *name)
{
    char *equals = strchr(name, '=');
    if (!equals || equals == name)
        return hd_usage_error(NULL, NULL, 0, "--set %s: it must be %.*s.NAME=VALUE", set, (int)strcspn(set, "."), set);
    if (app > HD_HOST_PROGRAMS_MAX)
        return hd_usage_error(NULL, NULL, 0, "--set %s: there are at most %u apps", set, HD_HOST_PROGRAMS_MAX);
    *equals = '\0';
    run_app *to = &apps->items[app - 1];
    to->options[to->option_count++] = (hd_host_option){.name = name, .value = equals + 1};
    return HD_EXIT_PASS;
}

int run_apps_share(run_apps *apps, const char *const *sets, size_t set_count, const char **overrides,
                   size_t *override_count)
{
    size_t bytes = 1;
    for (size_t i = 0; i < set_count; i++)
        bytes += strlen(sets[i]) + 1;
    char *text = apps->texts = malloc(bytes);
    for (uint32_t i = 0; i < HD_HOST_PROGRAMS_MAX; i++)
        if (!(apps->items[i].options = calloc(set_count + 1, sizeof *apps->items[i].options)))
            abort();
    if (!text)
        abort();
    for (size_t i = 0; i < set_count; i++) {
        const char *name;
        const uint32_t app = app_of(sets[i], &name);
        if (!app) {
            overrides[(*override_count)++] = sets[i];
            continue;
        }
        if (add_option(apps, sets[i], app, strcpy(text, name)))
            return HD_EXIT_USAGE;
        text += strlen(name) + 1;
    }
    return HD_EXIT_PASS;
}

static int find_app(run_app *app, const char *what)
{
    app->folder = hd_app_folder(what);
    if (app->folder)
        app->folder = hd_app_ready(app->folder);
    return app->folder ? HD_EXIT_PASS : HD_EXIT_USAGE;
}

/* Options of apps that there are not. */
static int check_options(const run_apps *apps)
{
    for (uint32_t i = apps->count; i < HD_HOST_PROGRAMS_MAX; i++) {
        const run_app *app = &apps->items[i];
        if (app->option_count && !i)
            return hd_usage_error(NULL, NULL, 0, "--set app.%s=%s: no app is given", app->options->name,
                                  app->options->value);
        if (app->option_count)
            return hd_usage_error(NULL, NULL, 0, "--set app%u.%s=%s: there is no app %u: --with gives one", i + 1,
                                  app->options->name, app->options->value, i + 1);
    }
    return HD_EXIT_PASS;
}

int run_apps_find(run_apps *apps, const char *first, const char *const *with, size_t with_count)
{
    if (!first && with_count)
        return hd_usage_error(NULL, NULL, 0, "--with %s: no app is given that it could run beside", with[0]);
    if (with_count >= HD_HOST_PROGRAMS_MAX)
        return hd_usage_error(NULL, NULL, 0, "--with %s: there are at most %u apps", with[HD_HOST_PROGRAMS_MAX - 1],
                              HD_HOST_PROGRAMS_MAX);
    apps->count = first ? 1 + (uint32_t)with_count : 0;
    for (uint32_t i = 0; i < apps->count; i++)
        if (find_app(&apps->items[i], i ? with[i - 1] : first))
            return HD_EXIT_USAGE;
    return check_options(apps);
}

int run_apps_read(run_apps *apps, hd_machine_setup *machine)
{
    for (uint32_t i = 0; i < apps->count; i++) {
        run_app *app = &apps->items[i];
        if (app_options_read(&app->read, stderr, app->folder, app->options, app->option_count))
            return HD_EXIT_USAGE;
        apps->with[i] =
            (hd_machine_app){.folder = app->folder, .options = app->read.given, .option_count = app->read.given_count};
    }
    if (!apps->count)
        return HD_EXIT_PASS;
    machine->app = apps->with[0].folder;
    machine->options = apps->with[0].options;
    machine->option_count = apps->with[0].option_count;
    machine->with = &apps->with[1];
    machine->with_count = apps->count - 1;
    return HD_EXIT_PASS;
}

void run_apps_free(run_apps *apps)
{
    for (uint32_t i = 0; i < HD_HOST_PROGRAMS_MAX; i++) {
        app_options_free(&apps->items[i].read);
        free(apps->items[i].options);
        free(apps->items[i].folder);
    }
    free(apps->texts);
    *apps = (run_apps){0};
}
