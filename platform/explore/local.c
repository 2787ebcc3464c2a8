/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run_engine.h"
#include "text.h"

#define WAIT_NANOSECONDS 200000000

typedef struct local_run {
    run_engine engine; /* first: what the caller holds */
    const spool *spool;
    size_t processes;
    job **under_way; /* NULL: free */
} local_run;

static size_t running(const run_engine *self)
{
    const local_run *local = (const local_run *)self;
    size_t count = 0;
    for (size_t i = 0; i < local->processes; i++)
        count += local->under_way[i] != NULL;
    return count;
}

/* In the new process: nothing of the sweep is left in it but the ignored SIGXFSZ, so that a full disk is an error that a
 * run can tell. */
static void become(char **words, char **environment, const char *log, pid_t parent)
{
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGINT, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    setpgid(0, 0);
    int in = open("/dev/null", O_RDONLY), out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
    if (in < 0 || out < 0 || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
        _exit(126);
    close(in);
    close(out);
    execve(words[0], words, environment);
    _exit(127);
}

static int start_one(const local_run *local, job *one, char **error)
{
    char **words = job_words(one, local->spool), **environment = job_environment();
    char *log = spool_path(local->spool, one->name, ".log");
    pid_t parent = getpid();
    one->started = time(NULL);
    one->clock = job_clock();
    one->process = fork();
    if (!one->process)
        become(words, environment, log, parent);
    if (one->process < 0)
        *error = hd_text_format("error: a process cannot be started: %s\n", strerror(errno));
    free(log);
    free(environment);
    job_free_words(words);
    return one->process > 0;
}

static size_t start(run_engine *self, job *jobs, size_t first, size_t count, char **error)
{
    local_run *local = (local_run *)self;
    size_t started = 0;
    for (size_t i = 0; i < local->processes && first + started < count; i++) {
        if (local->under_way[i])
            continue;
        if (!start_one(local, &jobs[first + started], error))
            return SIZE_MAX;
        local->under_way[i] = &jobs[first + started++];
    }
    return started;
}

static job *take(local_run *local, pid_t process)
{
    for (size_t i = 0; i < local->processes; i++) {
        job *one = local->under_way[i];
        if (!one || one->process != process)
            continue;
        local->under_way[i] = NULL;
        return one;
    }
    return NULL;
}

static job *reap(local_run *local)
{
    int status;
    struct rusage used;
    pid_t process = wait4(-1, &status, WNOHANG, &used);
    job *one = process > 0 ? take(local, process) : NULL;
    if (!one)
        return NULL;
    one->ended = time(NULL);
    one->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    one->user_seconds = (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec;
    one->peak_bytes = 1024.0 * (double)used.ru_maxrss;
    if (one->exit_code == 126)
        one->complaint = hd_text_format("its log cannot be written");
    else if (one->exit_code == 127)
        one->complaint = hd_text_format("the program cannot be executed");
    return one;
}

/* SIGCHLD is blocked: one that came in between is not lost. */
static job *wait_for(run_engine *self, char **error)
{
    sigset_t child;
    const struct timespec most = {.tv_nsec = WAIT_NANOSECONDS};
    (void)error;
    job *one = reap((local_run *)self);
    if (one)
        return one;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &most);
    return reap((local_run *)self);
}

static void stop(run_engine *self)
{
    local_run *local = (local_run *)self;
    for (size_t i = 0; i < local->processes; i++) {
        if (!local->under_way[i])
            continue;
        kill(local->under_way[i]->process, SIGKILL);
        waitpid(local->under_way[i]->process, NULL, 0);
        spool_remove(local->spool, local->under_way[i]->name, ".log");
        local->under_way[i] = NULL;
    }
}

static void free_engine(run_engine *self)
{
    free(((local_run *)self)->under_way);
    free(self);
}

run_engine *local_engine(const spool *spool, size_t processes)
{
    sigset_t child;
    local_run *local = calloc(1, sizeof *local);
    if (!local)
        abort();
    *local = (local_run){
        .engine =
            {.name = "local", .start = start, .wait = wait_for, .running = running, .stop = stop, .free = free_engine},
        .spool = spool,
        .processes = processes,
        .under_way = calloc(processes, sizeof *local->under_way)};
    if (!local->under_way)
        abort();
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    return &local->engine;
}
