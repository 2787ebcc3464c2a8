/* SPDX-License-Identifier: MIT */
#include "test_inputs.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "folder.h"
#include "yaml_tree.h"

#define INPUTS_MAX 500u

static void read_options(const node *map, test_input *input)
{
    for (uint32_t i = 0; i < map->count; i++) {
        cr_assert(input->option_count < INPUT_OPTIONS_MAX);
        snprintf(input->options[input->option_count++], sizeof input->options[0], "app.%s=%s",
                 map->entries[i].key->text, map->entries[i].value->text);
    }
}

enum transactions { WITHOUT_TRANSACTIONS, TRANSACTIONS_ON_MEMORY, TRANSACTIONS_ON_SCRATCHPADS, TRANSACTIONS_ON_BOTH };

/* An app with several forms has transactions if it is asked for that form. */
static enum transactions transactions_of(const node *needs, const node *input)
{
    const node *form = netlist_find(input, "sync");
    const int is_asked = form && !strcmp(form->text, "tm");
    if (needs && !strcmp(needs->text, "all_transactions"))
        return TRANSACTIONS_ON_BOTH;
    if (needs && !strcmp(needs->text, "scratchpad_transactions"))
        return is_asked ? TRANSACTIONS_ON_SCRATCHPADS : WITHOUT_TRANSACTIONS;
    return is_asked || (needs && !strcmp(needs->text, "transactions")) ? TRANSACTIONS_ON_MEMORY : WITHOUT_TRANSACTIONS;
}

/* Those inputs of the app that need these transactions. */
static size_t read_app(const char *app, enum transactions kind, test_input *inputs, size_t room)
{
    arena memory = {0};
    diagnostics log = {.out = stderr};
    size_t length, count = 0;
    char *path = text_of("%s/%s/app.yaml", HEDDLE_APPS, app), *text = file_read(path, &length);
    cr_assert(text, "%s cannot be read", path);
    const node *root = netlist_parse(&memory, &log, source_of_text(&memory, path, text, length), text, length, 0);
    cr_assert(root, "%s is not YAML", path);
    const node *needs = netlist_find(root, "needs"), *tests = netlist_find_kind(root, "test", NODE_SEQUENCE);
    cr_assert(tests && tests->count, "%s has no test inputs", path);
    for (uint32_t i = 0; i < tests->count; i++) {
        const node *input = tests->entries[i].value;
        if (transactions_of(needs, input) != kind)
            continue;
        cr_assert_lt(count, room, "more than %u inputs", INPUTS_MAX);
        inputs[count] = (test_input){.needs_independent_lanes = needs && !strcmp(needs->text, "independent_lanes")};
        snprintf(inputs[count].app, sizeof inputs[count].app, "%s", app);
        read_options(input, &inputs[count++]);
    }
    arena_free(&memory);
    free(text);
    free(path);
    return count;
}

static int is_app(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static test_input *read_all(enum transactions kind, size_t *count)
{
    struct dirent **entries;
    test_input *inputs = calloc(INPUTS_MAX, sizeof *inputs);
    int apps = scandir(HEDDLE_APPS, &entries, is_app, alphasort);
    cr_assert(inputs && apps > 0, "no apps in " HEDDLE_APPS);
    *count = 0;
    for (int i = 0; i < apps; i++) {
        *count += read_app(entries[i]->d_name, kind, inputs + *count, INPUTS_MAX - *count);
        free(entries[i]);
    }
    free(entries);
    return inputs;
}

test_input *test_inputs_read(size_t *count)
{
    return read_all(WITHOUT_TRANSACTIONS, count);
}

test_input *test_inputs_read_transactional(size_t *count)
{
    return read_all(TRANSACTIONS_ON_MEMORY, count);
}

test_input *test_inputs_read_on_scratchpads(size_t *count)
{
    return read_all(TRANSACTIONS_ON_SCRATCHPADS, count);
}

test_input *test_inputs_read_on_both(size_t *count)
{
    return read_all(TRANSACTIONS_ON_BOTH, count);
}
