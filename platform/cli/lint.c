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
    .doc = "find loops in kernels that may wait forever on a SIMT machine",
    .help = "If something is found, it is printed, and the exit code is 1.\n\n"
            "  lock_loop   a lock is released behind the loop that takes it: with a reconvergence stack the holder "
            "never gets there\n"
            "  stale_spin  a loop waits for the value of a plain load: with l1.global: cache the L1 may keep the old "
            "value\n",
    .run = lint,
};
