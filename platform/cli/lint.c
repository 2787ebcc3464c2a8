/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "command.h"
#include "kernel_file.h"
#include "kernel_warnings.h"

static int lint(const hd_command *command, int count, char **words)
{
    const char *what;
    kernel_file file = {0};
    int result = HD_EXIT_USAGE;
    if (hd_arguments(command, count, words, NULL, 0, &what, 1, 1) >= 0 && kernel_file_open(&file, what))
        result = kernel_warnings_print(file.program, NULL, stdout) ? HD_EXIT_FAIL : HD_EXIT_PASS;
    if (result == HD_EXIT_PASS)
        printf("%s: nothing to say\n", file.path);
    kernel_file_close(&file);
    return result;
}

const hd_command hd_command_lint = {
    .name = "lint",
    .usage = KERNEL_FILE_USAGE,
    .doc = "look for code in kernels that waits for ever on a SIMT machine",
    .help =
        "What is found is printed, and the exit code is 1.\n\n"
        "  lock_loop   a lock is given back behind the loop that takes it: the reconvergence stack never gets there\n"
        "  stale_spin  a loop waits for a plain load: with l1.global: cache the L1 may keep the old value\n",
    .run = lint,
};
