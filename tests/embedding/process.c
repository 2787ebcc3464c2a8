/* SPDX-License-Identifier: MIT */
/* What belongs to the program stays as it is. */
#include "embedding.h"

#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void on_signal(int number)
{
    (void)number;
}

typedef struct surroundings {
    void (*handlers[65])(int);
    int flags[65];
    uint32_t is_blocked[65];
    char folder[4096];
    char locale[256];
    mode_t creation_mask;
} surroundings;

static void record(surroundings *s)
{
    sigset_t mask;
    memset(s, 0, sizeof *s);
    sigprocmask(SIG_BLOCK, NULL, &mask);
    for (int i = 1; i < 65; i++) {
        struct sigaction action = {0};
        sigaction(i, NULL, &action);
        s->handlers[i] = action.sa_handler;
        s->flags[i] = action.sa_flags;
        s->is_blocked[i] = sigismember(&mask, i) == 1;
    }
    cr_assert(getcwd(s->folder, sizeof s->folder));
    snprintf(s->locale, sizeof s->locale, "%s", setlocale(LC_ALL, NULL));
    s->creation_mask = umask(0);
    umask(s->creation_mask);
}

/* Good runs, bad ones, and every kind of end. */
static void use_the_library(void)
{
    const char *const sets[] = {"watchdog=20 us"};
    heddle_settings settings = small_machine();
    heddle_machine *machine;
    settings.netlist = "nowhere.yaml";
    expect_refusal(heddle_open(&settings, &machine), HEDDLE_ERROR_NETLIST, "nowhere");
    machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "say", zeroed_words(machine, 64), 64, 1));
    EXPECT(heddle_wait(machine));
    EXPECT(heddle_close(machine));
    machine = open_small();
    EXPECT(launch(machine, default_queue(machine), "lose_its_way", 0, 1, 16));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_FAULT, "");
    EXPECT(heddle_close(machine));
    settings = small_machine();
    settings.overrides = sets;
    settings.override_count = 1;
    machine = open_with(&settings);
    EXPECT(launch(machine, default_queue(machine), "wait_for_ever", zeroed_words(machine, 1), 1, 1));
    expect_refusal(heddle_wait(machine), HEDDLE_ERROR_LIVELOCK, "");
    EXPECT(heddle_close(machine));
}

Test(process, signals_folder_locale_and_files_stay_as_they_are)
{
    static surroundings before, after;
    char name[] = "/tmp/heddle-embedding-XXXXXX";
    const int file = mkstemp(name), out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    signal(SIGINT, on_signal);
    signal(SIGPIPE, SIG_IGN);
    fflush(NULL);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    record(&before);
    use_the_library();
    record(&after);
    fflush(NULL);
    struct stat written;
    fstat(file, &written);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    unlink(name);
    cr_expect_eq(written.st_size, 0, "something was printed");
    cr_expect_eq(memcmp(&before, &after, sizeof before), 0, "signals, folder, locale or mask are others");
}

/* Numbers of machine files do not depend on the locale of the program. */
Test(process, a_locale_with_another_decimal_point_changes_nothing)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8"};
    const char *const sets[] = {"clocks.core=712.5 MHz"};
    heddle_settings settings = small_machine();
    uint64_t times[2];
    settings.overrides = sets;
    settings.override_count = 1;
    for (uint32_t i = 0; i < 2; i++) {
        heddle_machine *machine = open_with(&settings);
        EXPECT(launch(machine, default_queue(machine), "add", zeroed_words(machine, 64), 64, 1));
        EXPECT(heddle_wait(machine));
        times[i] = now(machine);
        EXPECT(heddle_close(machine));
        for (uint32_t n = 0; !i && n < sizeof names / sizeof *names; n++)
            if (setlocale(LC_ALL, names[n]))
                break;
    }
    cr_expect_eq(times[0], times[1]);
}
