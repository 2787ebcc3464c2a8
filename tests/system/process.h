/* SPDX-License-Identifier: MIT */
/* Running the command as a user does. */
#ifndef SYSTEM_PROCESS_H
#define SYSTEM_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

typedef struct finished {
    int code; /* exit code, or 128 + signal */
    char *out;
    char *err;
} finished;

/* Runs `heddle words...`, NULL at the end, and waits. A run is --tlm=checked unless the words say otherwise: every memory
 * link of every machine that is run here is held against the base protocol. Its statistics have to fit together
 * (identities.h). */
finished heddle_run(const char *const *words);
#define heddle(...) heddle_run((const char *const[]){__VA_ARGS__, NULL})

/* The same in two steps, for tests that send signals. Output goes to files in `folder`. */
pid_t heddle_start(const char *folder, const char *const *words);
finished heddle_wait(const char *folder, pid_t child);
/* Another program: words[0] is its path. To be waited for likewise. */
pid_t program_start(const char *folder, const char *const *words);

void finished_free(finished *run);

/* The test fails unless the exit code is that, saying what was printed. */
void expect_code(const finished *run, int code);
/* Part of what was printed on stderr. */
void expect_error(const finished *run, const char *part);
void expect_output(const finished *run, const char *part);
/* It has ended with exit code 1 and all of these on stderr, NULL at the end; frees it. */
void expect_errors(finished run, const char *const *parts);
#define EXPECT_ERRORS(run, ...) expect_errors(run, (const char *const[]){__VA_ARGS__, NULL})

/* Where an exception passes SystemC's scheduler, the address sanitizer knows no longer which stack is which, and reports what
 * is none (google/sanitizers, issue 189). */
#ifdef __SANITIZE_ADDRESS__
#define SKIP_IF_EXCEPTIONS_CONFUSE() cr_skip_test("an exception confuses the address sanitizer")
#else
#define SKIP_IF_EXCEPTIONS_CONFUSE() ((void)0)
#endif

/* The rest of the test is run by somebody who may not write everywhere, as the superuser may. */
void become_nobody(void);
/* No file may grow past so many bytes; what the process starts inherits that. */
#define LIMIT_NONE UINT64_MAX
void limit_files(uint64_t bytes);

#endif
