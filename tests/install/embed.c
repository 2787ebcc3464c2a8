/* SPDX-License-Identifier: MIT */
/* A program of somebody else's that runs a machine: embed NETLIST APP_FOLDER. */
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

int main(int count, char **words)
{
    char *error;
    if (count != 3)
        return 2;
    const hd_machine_setup setup = {.netlist = words[1], .app = words[2], .seed = 1};
    hd_machine *machine = hd_machine_open(&setup, &error);
    if (!machine) {
        fputs(error, stderr);
        free(error);
        return 2;
    }
    uint32_t outcome = hd_machine_run(machine, NULL);
    printf("%s %llu\n", hd_outcome_name(outcome), (unsigned long long)hd_machine_time(machine));
    hd_machine_close(machine);
    return outcome != HD_OUTCOME_PASS;
}
