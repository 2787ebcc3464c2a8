/* SPDX-License-Identifier: MIT */
#include "remote_rig.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "folder.h"
#include "stats.h"

#define WORDS_MAX 24u

char *rig_folder, *rig_address, *rig_setting, *rig_results;

void rig_go_to(char *address)
{
    free(rig_address);
    free(rig_setting);
    rig_address = address;
    rig_setting = text_of("remote.address=%s", address);
}

void rig_begin(void)
{
    rig_folder = folder_new();
    rig_go_to(text_of("unix:%s/socket", rig_folder));
    rig_results = path_in(rig_folder, "stats.json");
}

void rig_end(void)
{
    free(rig_address);
    free(rig_setting);
    free(rig_results);
    folder_remove(rig_folder);
}

int rig_peer_ends(pid_t peer)
{
    int status;
    for (int i = 0; i < 200; i++, nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL))
        if (waitpid(peer, &status, WNOHANG) == peer)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    kill(peer, SIGKILL);
    waitpid(peer, &status, 0);
    return -1;
}

void rig_expect_no_socket(void)
{
    char *path = path_in(rig_folder, "socket");
    cr_expect_neq(access(path, F_OK), 0, "the socket is left");
    free(path);
}

finished rig_run(const char *const *words, const char *machine, const char *app, const char *const *more,
                 int *peer_code)
{
    const char *run_words[WORDS_MAX] = {"run", machine, "--set", rig_setting, "--stats", rig_results};
    uint32_t count = 6;
    if (app)
        run_words[count++] = app;
    for (; *more && count < WORDS_MAX - 1; more++)
        run_words[count++] = *more;
    char *out = folder_new();
    const pid_t peer = program_start(out, words);
    finished run = heddle_run(run_words);
    *peer_code = rig_peer_ends(peer);
    rig_expect_no_socket();
    folder_remove(out);
    return run;
}

json_t *rig_stats(const char *const *words, const char *machine, const char *app, const char *const *more)
{
    int code;
    finished run = rig_run(words, machine, app, more, &code);
    expect_code(&run, 0);
    cr_expect_eq(code, 0, "the peer ends with %d", code);
    finished_free(&run);
    return stats_read(rig_results);
}

int64_t rig_number(const json_t *stats, const char *path)
{
    return json_integer_value(stats_at(stats, path));
}
