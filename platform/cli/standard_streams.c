/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* fopencookie */
#include "standard_streams.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "terminal_text.h"
#include "write_all.h"

typedef struct terminal {
    int descriptor;
    terminal_text text;
} terminal;

static terminal terminals[] = {{.descriptor = STDOUT_FILENO}, {.descriptor = STDERR_FILENO}};
static FILE *progress;
static void (*action_of_pipes)(int);
static int failure; /* the errno of the first thing that was lost */

static ssize_t write_text(void *cookie, const char *from, size_t bytes)
{
    terminal *to = cookie;
    char shown[TERMINAL_TEXT_BYTES(256)];
    for (size_t done = 0; done < bytes;) {
        const size_t part = bytes - done < 256 ? bytes - done : 256;
        if (!hd_write_all(to->descriptor, shown, terminal_text_put(&to->text, from + done, part, shown)))
            return 0;
        done += part;
    }
    return (ssize_t)bytes;
}

static FILE *filtered(FILE *stream, terminal *to, int buffering)
{
    FILE *made = isatty(to->descriptor) ? fopencookie(to, "w", (cookie_io_functions_t){.write = write_text}) : NULL;
    if (!made)
        return stream;
    setvbuf(made, NULL, buffering, BUFSIZ);
    return made;
}

/* The lowest number that is free is the one that is missing. */
static void fill_descriptors(void)
{
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", O_RDONLY) < 0)
            return;
}

void standard_streams_open(void)
{
    fill_descriptors();
    action_of_pipes = signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    progress = isatty(STDERR_FILENO) ? stderr : NULL;
    stdout = filtered(stdout, &terminals[0], _IOLBF);
    stderr = filtered(stderr, &terminals[1], _IONBF);
}

void standard_streams_end_with_reader(void)
{
    signal(SIGPIPE, action_of_pipes);
}

FILE *standard_streams_progress(void)
{
    return progress;
}

void standard_streams_flush(void)
{
    errno = 0;
    if (fflush(stdout) && !failure)
        failure = errno;
}

static const char *reason(void)
{
    if (failure == EBADF)
        return "it is closed";
    return failure ? strerror(failure) : "something that was printed has been lost";
}

int standard_streams_close(int code)
{
    const int had_failed = ferror(stdout);
    standard_streams_flush();
    if (!had_failed && !failure)
        return code;
    if (failure == EPIPE && action_of_pipes == SIG_DFL) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    hd_usage_error(NULL, NULL, 0, "standard output: %s", reason());
    return code == HD_EXIT_PASS ? HD_EXIT_USAGE : code;
}
