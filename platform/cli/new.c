/* SPDX-License-Identifier: MIT */
#include "new.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app_folder.h"
#include "command.h"
#include "text.h"

#define NAME_BYTES_MAX 48u

/* The same as for blocks in netlists, in lower case: it becomes part of identifiers. */
static int is_name(const char *name)
{
    size_t length = strlen(name);
    if (!islower((unsigned char)*name) || length > NAME_BYTES_MAX)
        return 0;
    return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

static char *upper(const char *name)
{
    char *text = hd_text_format("%s", name);
    for (char *at = text; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return text;
}

/* In the build folder and in an installation. */
static char *data_folder(const char *relative)
{
    char *here = hd_text_format("share/heddle/%s", relative);
    char *installed = hd_text_format("../share/heddle/%s", relative);
    char *found = hd_beside_executable(here);
    if (!found)
        found = hd_beside_executable(installed);
    free(here);
    free(installed);
    return found;
}

static int new_folder(const char *what, const char *folder, const char *target, const template_word *words,
                      size_t count)
{
    if (!template_copy(folder, target, words, count))
        return 0;
    printf("%s: %s/README.md says how it is built, tested and run\n", what, target);
    return 1;
}

static int make(const char *what, const char *name, const char *target)
{
    char *relative = hd_text_format("templates/%s", what);
    char *folder = data_folder(relative), *machines = data_folder("configs/machines"), *in_capitals = upper(name);
    const template_word words[] = {
        {"@name@", name}, {"@NAME@", in_capitals}, {"@machines@", machines ? machines : "."}};
    int good = 0;
    if (!folder)
        hd_usage_error(NULL, NULL, 0, "the templates are not where this program is");
    else if (strcmp(what, "unit") == 0)
        good = new_unit(folder, target ? target : ".", words, sizeof words / sizeof *words);
    else
        good = new_folder(what, folder, target ? target : name, words, sizeof words / sizeof *words);
    free(relative);
    free(folder);
    free(machines);
    free(in_capitals);
    return good ? HD_EXIT_PASS : HD_EXIT_USAGE;
}

static int new (const hd_command *command, int count, char **words)
{
    static const char *const kinds[] = {"block", "unit", "app"};
    const char *others[2], *target = NULL;
    const hd_option_use options[] = {{.name = "--to", .takes_value = 1, .value = &target}};
    if (hd_arguments(command, count, words, options, 1, others, 2, 2) < 0)
        return HD_EXIT_USAGE;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(others[0], kinds[i]) != 0)
            continue;
        if (!is_name(others[1]))
            return hd_usage_error(NULL, NULL, 0,
                                  "'%s' is no name: a lower-case letter, then at most %u of a to z, 0 to 9 and _",
                                  others[1], NAME_BYTES_MAX - 1);
        return make(others[0], others[1], target);
    }
    return hd_usage_error(others[0], kinds, sizeof kinds / sizeof *kinds, "there is no skeleton of a '%s'", others[0]);
}

const hd_command hd_command_new = {
    .name = "new",
    .usage = "block|unit|app NAME [--to FOLDER]",
    .doc = "make a skeleton that builds, passes its tests and runs",
    .help = "  block          a block as a plug-in, with its test and a machine that uses it\n"
            "  unit           a warp scheduler, with its test, in Heddle's own source folder: --to names it, . unless "
            "given\n"
            "  app            a kernel and its host program\n"
            "  --to FOLDER    where; a new folder, NAME unless given\n",
    .run = new,
};
