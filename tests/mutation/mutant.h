/* SPDX-License-Identifier: MIT
 * Included first by every file that has a mutant: which of them is active, and which are reached.
 * @FOLDER@/active has the number of the active mutant, "cover", or nothing. A file and no variable: programs start others with
 * an environment of their own choice. In "cover", each process makes folders in @FOLDER@/reached, named as the mutants that it
 * reaches: that takes no file descriptor and counts as no output, both of which tests limit.
 *
 * No header is included, since a file may choose what its system headers declare.
 */
#ifndef MUTANT_H
#define MUTANT_H

#ifdef __riscv
#define mutant(number) 0
#else

/* What compilers warn of in mutants; each compiler knows others. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#endif
@IGNORED@

#ifdef __cplusplus
extern "C" {
#endif

extern int mutant_open(const char *path, int flags, ...) __asm__("open");
extern long mutant_read(int file, void *bytes, unsigned long count) __asm__("read");
extern int mutant_close(int file) __asm__("close");
extern int mutant_make_folder(const char *path, unsigned mode) __asm__("mkdir");

enum { MUTANTS = @COUNT@, MUTANT_COVER = -1, MUTANT_READ = @O_RDONLY@ | @O_CLOEXEC@ };

__attribute__((weak, visibility("hidden"))) int mutant_active;
__attribute__((weak, visibility("hidden"))) unsigned char mutants_reached[MUTANTS + 1];

__attribute__((constructor(101), unused)) static void mutant_choose(void)
{
    char text[16] = "";
    int file = mutant_open("@FOLDER@/active", MUTANT_READ), number = 0;
    if (file < 0)
        return;
    if (mutant_read(file, text, sizeof text - 1) < 0)
        __builtin_abort();
    mutant_close(file);
    for (const char *at = text; *at >= '0' && *at <= '9'; at++)
        number = 10 * number + (*at - '0');
    mutant_active = text[0] == 'c' ? MUTANT_COVER : number;
}

int mutant_cover(int number);
__attribute__((weak, visibility("hidden"), noinline, cold)) int mutant_cover(int number)
{
    if (mutant_active != MUTANT_COVER || mutants_reached[number])
        return 0;
    mutants_reached[number] = 1;
    char path[sizeof "@FOLDER@/reached/0000000000"] = "@FOLDER@/reached/", *at = path + sizeof "@FOLDER@/reached/" - 1;
    for (int unit = 1000000; unit; unit /= 10)
        *at++ = (char)('0' + number / unit % 10);
    mutant_make_folder(path, 0777);
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
