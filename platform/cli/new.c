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

/* Files or words of the skeletons, and the keywords of C. */
static const char *const taken[] = {
    "plugin",   "kit",      "main",     "test",  "host",     "kernel",  "args",   "common", "auto",
    "break",    "case",     "char",     "const", "continue", "default", "do",     "double", "else",
    "enum",     "extern",   "float",    "for",   "goto",     "if",      "inline", "int",    "long",
    "register", "restrict", "return",   "short", "signed",   "sizeof",  "static", "struct", "switch",
    "typedef",  "union",    "unsigned", "void",  "volatile", "while",
};

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

/* plugin: what every plug-in has besides; NULL: it is none. */
static int new_folder(const char *what, const char *templates, const char *plugin, const char *parent,
                      const template_word *words, size_t count)
{
    char *target = hd_text_format("%s/%s", parent, words[0].value);
    made_files made = {0};
    const int good = made_files_end(&made, template_copy(&made, templates, target, words, count) &&
                                               (!plugin || template_add(&made, plugin, target, words, count)));
    if (good)
        printf("%s: %s/README.md says how it is built, tested and run\n", what, target);
    free(target);
    return good;
}

/* what: "block"; skeleton: the folder of its templates; kind: of a unit. */
static int make(const char *what, const char *skeleton, const char *kind, const char *name, const char *parent)
{
    char *relative = hd_text_format("templates/%s", skeleton);
    char *templates = hd_data_folder(relative), *machines = hd_data_folder("configs/machines"), *capitals = upper(name);
    char *plugin = strcmp(what, "block") ? NULL : hd_data_folder("templates/plugin");
    const template_word words[] = {{"@name@", name}, {"@NAME@", capitals}, {"@machines@", machines ? machines : "."}};
    const size_t count = sizeof words / sizeof *words;
    int good = 0;
    if (!templates)
        hd_usage_error(NULL, NULL, 0, "the templates are not where this program is");
    else if (strcmp(what, "unit") == 0)
        good = new_unit(kind, templates, parent, words, count);
    else
        good = new_folder(what, templates, plugin, parent, words, count);
    free(relative);
    free(templates);
    free(plugin);
    free(machines);
    free(capitals);
    return good ? HD_EXIT_PASS : HD_EXIT_USAGE;
}

static int check_name(const char *name)
{
    if (!is_name(name))
        return hd_usage_error(NULL, NULL, 0,
                              "'%s' is no name: a lower-case letter, then at most %u of a to z, 0 to 9 and _", name,
                              NAME_BYTES_MAX - 1);
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (strcmp(taken[i], name) == 0)
            return hd_usage_error(NULL, NULL, 0, "'%s' has a meaning of its own in what would be made", name);
    return HD_EXIT_PASS;
}

/* KIND NAME */
static int make_unit(int count, const char *const *words, const char *parent)
{
    if (count < 3) {
        if (new_unit_kind(words[1]))
            hd_usage_error(NULL, NULL, 0, "a unit has a kind and a name: heddle new unit %s NAME", words[1]);
        return HD_EXIT_USAGE;
    }
    return new_unit_kind(words[1]) && check_name(words[2]) == HD_EXIT_PASS
               ? make("unit", "unit", words[1], words[2], parent)
               : HD_EXIT_USAGE;
}

static int make_new(const hd_command *command, int count, char **words)
{
    static const char *const kinds[] = {"block", "unit", "app"};
    const char *others[3], *parent = ".", *between = NULL;
    const hd_option_use options[] = {{.name = "--to", .takes_value = 1, .value = &parent},
                                     {.name = "--between", .value = &between}};
    const int found = hd_arguments(command, count, words, options, sizeof options / sizeof *options, others, 2, 3);
    if (found < 0)
        return HD_EXIT_USAGE;
    if (between && strcmp(others[0], "block"))
        return hd_usage_error(NULL, NULL, 0, "--between is for blocks; a new %s was asked for", others[0]);
    if (strcmp(others[0], "unit") == 0)
        return make_unit(found, others, parent);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(others[0], kinds[i]))
            continue;
        if (found > 2)
            return hd_usage_error(NULL, NULL, 0, "'%s' is one argument too many", others[2]);
        return check_name(others[1]) == HD_EXIT_PASS
                   ? make(others[0], between ? "between" : others[0], NULL, others[1], parent)
                   : HD_EXIT_USAGE;
    }
    return hd_usage_error(others[0], kinds, sizeof kinds / sizeof *kinds, "there is no skeleton of a '%s'", others[0]);
}

const hd_command hd_command_new = {
    .name = "new",
    .usage = "block|app NAME | unit KIND NAME [--between] [--to FOLDER]",
    .doc = "make the skeleton of a block, unit or app, with its test",
    .help =
        "  block        a block as a plug-in, with its test and a machine that uses it\n"
        "  unit         a unit of a block, with its test: a scheduler, reconvergence, scoreboard, spin,\n"
        "               back_off, tx, replacement or thread_block_policy; FOLDER is Heddle's source folder\n"
        "  app          a kernel and its host program\n"
        "  --between    a block that stands between two others, as between L2 and DRAM, in place of a memory\n"
        "  --to FOLDER  parent folder of the new folder NAME (default .)\n",
    .run = make_new,
};
