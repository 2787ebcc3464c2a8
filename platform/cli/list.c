/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>

#include "list_apps.h"
#include "machine_file.h"
#include "sweep.h"

typedef size_t lister(netlist_registry all, const char *pattern, enum text_format format, FILE *out);
typedef size_t file_lister(const char *pattern, enum text_format format, FILE *out);

static size_t list_errors(const char *pattern, enum text_format format, FILE *out)
{
    return netlist_list_errors(pattern, format, out) + sweep_list_errors(pattern, format, out);
}

/* What can be listed besides a kind of block: of the classes, or of what does not depend on them. */
static const struct {
    const char *name;
    lister *list;
    file_lister *list_apart;
} sections[] = {
    {"blocks", netlist_list_details, NULL},
    {"units", netlist_list_units, NULL},
    {"messages", netlist_list_messages, NULL},
    {"protocols", netlist_list_protocols, NULL},
    {"machines", NULL, netlist_list_machines},
    {"apps", NULL, hd_list_apps},
    {"errors", NULL, list_errors},
};
#define SECTIONS (sizeof sections / sizeof *sections)
#define KNOWN_MAX 128u

static size_t find(const char *word)
{
    size_t i = 0;
    while (i < SECTIONS && strcmp(sections[i].name, word))
        i++;
    return i;
}

static void add(const char **known, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (!strcmp(known[i], name))
            return;
    if (*count < KNOWN_MAX)
        known[(*count)++] = name;
}

static int unknown(const char *word, netlist_registry all)
{
    const char *known[KNOWN_MAX];
    size_t count = 0;
    for (size_t i = 0; i < all.count; i++)
        add(known, &count, all.classes[i]->kind);
    for (size_t i = 0; i < SECTIONS; i++)
        add(known, &count, sections[i].name);
    return hd_usage_error(word, known, count, "there is no kind of block '%s'; 'heddle list' names all", word);
}

static size_t list_section(size_t section, netlist_registry all, const char *pattern, enum text_format format)
{
    return sections[section].list ? sections[section].list(all, pattern, format, stdout)
                                  : sections[section].list_apart(pattern, format, stdout);
}

static int overview(netlist_registry all, enum text_format format)
{
    netlist_list_classes(all, NULL, format, stdout);
    if (format == TEXT_PLAIN)
        puts("\n'heddle list KIND' or 'heddle list KIND/TYPE' says all about them; 'heddle help list' what else there "
             "is.");
    return HD_EXIT_PASS;
}

static int show(netlist_registry all, int count, const char *const *words, enum text_format format)
{
    if (!count)
        return overview(all, format);
    size_t section = find(words[0]);
    if (section < SECTIONS) {
        const char *pattern = count > 1 ? words[1] : NULL;
        if (list_section(section, all, pattern, format))
            return HD_EXIT_PASS;
        if (!pattern)
            return hd_usage_error(NULL, NULL, 0, "there are no %s", words[0]);
        return hd_usage_error(NULL, NULL, 0, "none of the %s matches '%s'", words[0], pattern);
    }
    if (count > 1)
        return hd_usage_error(words[0], NULL, 0, "'%s' is one argument too many", words[1]);
    return netlist_list_details(all, words[0], format, stdout) ? HD_EXIT_PASS : unknown(words[0], all);
}

static int list(const hd_command *command, int count, char **words)
{
    const char *others[2], *markdown = NULL;
    machine_file file = {0};
    netlist_registry all;
    int result = HD_EXIT_USAGE;
    const hd_option_use options[] = {
        MACHINE_FILE_PLUGIN_OPTION(&file),
        {.name = "--markdown", .value = &markdown},
    };
    int found = hd_arguments(command, count, words, options, sizeof options / sizeof *options, others, 0, 2);
    if (found >= 0 && machine_file_classes(&file, &all))
        result = show(all, found, others, markdown ? TEXT_MARKDOWN : TEXT_PLAIN);
    machine_file_close(&file);
    return result;
}

const hd_command hd_command_list = {
    .name = "list",
    .usage = "[KIND | KIND/TYPE | SECTION [PATTERN]] [--plugin FILE]... [--markdown]",
    .doc = "list machines, apps, blocks, units, messages, protocols or errors",
    .help = "  KIND and PATTERN may contain *, ? and [...]. Sections:\n"
            "  blocks            every block with its parameters, ports, messages and statistics\n"
            "  units             exchangeable units inside blocks by kind, such as schedulers: what each does, has and "
            "requires\n"
            "  messages          message types, with who sends and who accepts them\n"
            "  protocols         protocols, with the ports that speak them\n"
            "  machines          machines that have a name here, by folder\n"
            "  apps              programs, with their options and variants\n"
            "  errors            error numbers and their meaning\n" MACHINE_FILE_PLUGIN_HELP
            "  --markdown        print Markdown\n",
    .run = list,
};
