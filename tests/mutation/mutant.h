/* SPDX-License-Identifier: MIT
 * Included first by every file that has a mutant: which of them is active, and which are reached.
 * @FOLDER@/active has the number of the active mutant, "cover", or nothing. A file and no variable: programs start others with
 * an environment of their own choice. In "cover", each process adds the mutants that it reaches to @FOLDER@/reached.
 */
#ifndef MUTANT_H
#define MUTANT_H

#ifdef __riscv
#define mutant(number) 0
#else

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What mutants are warned of. */
@IGNORED@

#ifdef __cplusplus
extern "C" {
#endif

enum { MUTANTS = @COUNT@, MUTANT_COVER = -1 };

__attribute__((weak, visibility("hidden"))) int mutant_active;
__attribute__((weak, visibility("hidden"))) unsigned char mutants_reached[MUTANTS + 1];

__attribute__((constructor(101), unused)) static void mutant_choose(void)
{
    char text[16] = "";
    int file = open("@FOLDER@/active", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (read(file, text, sizeof text - 1) > 0)
        mutant_active = strncmp(text, "cover", 5) == 0 ? MUTANT_COVER : atoi(text);
    close(file);
}

__attribute__((weak, visibility("hidden"), noinline, cold)) int mutant_cover(int number)
{
    if (mutant_active != MUTANT_COVER || mutants_reached[number])
        return 0;
    mutants_reached[number] = 1;
    char line[16];
    int length = snprintf(line, sizeof line, "%d\n", number);
    int file = open("@FOLDER@/reached", O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file < 0 || write(file, line, (size_t)length) != length)
        abort();
    close(file);
    return 0;
}

static inline int mutant(int number)
{
    return __builtin_expect(mutant_active == number, 0) ||
           (__builtin_expect(mutant_active < 0, 0) && mutant_cover(number));
}

#ifdef __cplusplus
}
#endif
#endif
#endif
