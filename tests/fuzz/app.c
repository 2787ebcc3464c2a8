/* SPDX-License-Identifier: MIT */
/*
 * What `heddle run` is given about an app. Sections of an input: app.yaml; values of --set, one in a line; the value of
 * --seed. Whatever they are, it is usage or an error; what the errors say goes to standard error and is not looked at.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"
#include "run_setup.h"

#define SETS_MAX 16u
#define FIXED_WORDS 2u

static void make_app(fuzz_input yaml)
{
    if (mkdir("app", 0777) == 0)
        fuzz_write("app/kernel.elf", "", 0);
    fuzz_write("app/app.yaml", yaml.bytes, yaml.left);
}

static char *option(const char *name, char *value)
{
    size_t bytes = strlen(name) + strlen(value) + 1;
    char *word = malloc(bytes);
    if (!word)
        abort();
    snprintf(word, bytes, "%s%s", name, value);
    free(value);
    return word;
}

static void require_inputs(const run_setup *setup)
{
    const app_options *read = &setup->apps.items[0].read;
    for (uint32_t i = 0; i < read->count; i++) {
        uint64_t value;
        const hd_host_option *input = &read->inputs[i];
        fuzz_require(input->name && input->value, "option %u", i);
        hd_host_number(input->value, &value);
    }
    fuzz_require(setup->machine.override_count + setup->machine.option_count <= SETS_MAX, "more than was given");
}

void fuzz_one(fuzz_input input)
{
    run_setup setup;
    char machine[] = "machine.yaml", folder[] = "./app", *words[FIXED_WORDS + SETS_MAX + 1] = {machine, folder};
    int count = FIXED_WORDS;
    fuzz_enter_folder();
    make_app(fuzz_section(&input));
    fuzz_input sets = fuzz_section(&input);
    for (char *set; count < (int)(FIXED_WORDS + SETS_MAX) && (set = fuzz_line(&sets)); count++)
        words[count] = option("--set=", set);
    char *seed = fuzz_line(&input);
    if (seed)
        words[count++] = option("--seed=", seed);

    int code = run_setup_read(&setup, &hd_command_run, count, words);
    fuzz_require(code == HD_EXIT_PASS || code == HD_EXIT_USAGE, "%d", code);
    if (code == HD_EXIT_PASS) {
        require_inputs(&setup);
        run_setup_free(&setup);
    }
    while (count > (int)FIXED_WORDS)
        free(words[--count]);
}
