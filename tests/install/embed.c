/* SPDX-License-Identifier: MIT */
/* A program of somebody else's that runs a machine: embed MACHINE KERNEL_ELF. */
#include <stdio.h>
#include <string.h>

#include "heddle.h"

enum { WORDS = 40 };

static int check(heddle_error error)
{
    if (error)
        fprintf(stderr, "%s: %s\n", heddle_error_text(error), heddle_message());
    return error == HEDDLE_OK;
}

int main(int count, char **words)
{
    unsigned char bytes[4 * WORDS];
    heddle_machine *machine;
    heddle_address data;
    heddle_settings settings;
    memset(&settings, 0, sizeof settings);
    settings.struct_bytes = sizeof settings;
    if (count != 3)
        return 2;
    settings.netlist = words[1];
    if (!check(heddle_open(&settings, &machine)))
        return 2;
    const int is_good = check(heddle_load(machine, words[2])) && check(heddle_allocate(machine, sizeof bytes, &data)) &&
                        check(heddle_fill(machine, data, 2, sizeof bytes)) &&
                        check(heddle_copy_from_device(machine, bytes, data, sizeof bytes));
    if (is_good)
        printf("%d words, %d at each place\n", WORDS, bytes[4 * WORDS - 1]);
    return !check(heddle_close(machine)) || !is_good;
}
