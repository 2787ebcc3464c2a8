/* SPDX-License-Identifier: MIT */
/*
 * Threads that advance the blocks of a window. A block has a home, the thread that calls it unless another one has nothing
 * left to do: its state stays in one processor's cache. Each home has a list; whoever takes the last entry that is left of
 * one counter owns that block until the window is over. A thread that comes late takes what is there then, of whatever window
 * that is, or nothing: nobody has to wait for it.
 *
 * Who waits looks for a short while, then sleeps: other programs want the processor too.
 */
#include "engine_internal.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum {
    SPINS = 400,     /* about ten microseconds */
    WORTH_NS = 6000, /* windows with less to do, like those before, are run by one thread: sharing them costs more */
    SAMPLE_WINDOWS = 15,   /* every so many windows it is measured how long blocks take; odd: of both sides of leaps */
    COST_MAX_NS = 1000000, /* more is a thread that was interrupted */
};

/* The blocks of one home that are to be called. */
typedef struct share {
    _Alignas(HD_CACHE_LINE) atomic_int left; /* entries that nobody has taken; below 0 when several looked in vain */
    uint32_t *blocks;
} share;

typedef struct member {
    struct team *team;
    pthread_t thread;
    uint32_t index;
    uint32_t reserved;
} member;

typedef struct team {
    hd_engine *engine;
    uint32_t threads; /* that were asked for */
    uint32_t size;    /* that there are */
    uint32_t spins;
    share *shares;    /* by thread */
    member *members;  /* but for the first, which is the thread that steps */
    uint32_t *counts; /* by thread, while a window is shared out */
    uint32_t *homes;  /* by block */
    uint32_t *costs;  /* by block: nanoseconds of a call */
    hd_time end;      /* of the window */
    uint32_t windows;
    uint32_t usual_costs[LEAP_ALL + 1];             /* of the windows before, by side, in nanoseconds */
    uint32_t samples;                               /* 1: this window is measured */
    _Alignas(HD_CACHE_LINE) atomic_uint generation; /* of windows that were shared out */
    atomic_uint stays;                              /* members from this number on end */
    _Alignas(HD_CACHE_LINE) atomic_uint done;       /* blocks of this window */
    atomic_uint sleepers;
    atomic_uint first_sleeps;
    pthread_mutex_t mutex;
    pthread_cond_t shared_out;
    pthread_cond_t all_done;
} team;

static void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static uint32_t nanoseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint32_t)t.tv_sec * 1000000000u + (uint32_t)t.tv_nsec; /* of differences only */
}

static void call_block(team *team, uint32_t b, uint32_t index)
{
    hd_engine *engine = team->engine;
    if (!team->samples) {
        window_run(engine, b, team->end, &engine->outboxes[index]);
        return;
    }
    const uint32_t start = nanoseconds();
    window_run(engine, b, team->end, &engine->outboxes[index]);
    const uint32_t taken = nanoseconds() - start;
    if (taken < COST_MAX_NS)
        team->costs[b] = (7 * team->costs[b] + taken) / 8;
}

/* Calls what is left of all lists, one's own first; returns how many. */
static uint32_t take_part(team *team, uint32_t index)
{
    uint32_t called = 0;
    for (uint32_t i = 0; i < team->size; i++) {
        share *share = &team->shares[(index + i) % team->size];
        if (atomic_load_explicit(&share->left, memory_order_relaxed) <= 0)
            continue;
        for (int left; (left = atomic_fetch_sub_explicit(&share->left, 1, memory_order_acquire)) > 0; called++)
            call_block(team, share->blocks[left - 1], index);
    }
    return called;
}

static uint32_t await_window(team *team, uint32_t seen)
{
    for (uint32_t i = 0; i < team->spins; i++) {
        const uint32_t generation = atomic_load_explicit(&team->generation, memory_order_acquire);
        if (generation != seen)
            return generation;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_fetch_add(&team->sleepers, 1);
    uint32_t generation;
    while ((generation = atomic_load(&team->generation)) == seen)
        pthread_cond_wait(&team->shared_out, &team->mutex);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->mutex);
    return generation;
}

static void *member_main(void *argument)
{
    const member *self = argument;
    team *team = self->team;
    uint32_t seen = 0;
    for (;;) {
        seen = await_window(team, seen);
        if (self->index >= atomic_load(&team->stays))
            return NULL;
        const uint32_t called = take_part(team, self->index);
        if (!called)
            continue;
        atomic_fetch_add(&team->done, called);
        if (atomic_load(&team->first_sleeps)) {
            pthread_mutex_lock(&team->mutex);
            pthread_cond_signal(&team->all_done);
            pthread_mutex_unlock(&team->mutex);
        }
    }
}

static void call_everybody(team *team)
{
    atomic_fetch_add(&team->generation, 1);
    if (!atomic_load(&team->sleepers))
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_broadcast(&team->shared_out);
    pthread_mutex_unlock(&team->mutex);
}

static void await_others(team *team, uint32_t total)
{
    for (uint32_t i = 0; i < team->spins; i++) {
        if (atomic_load_explicit(&team->done, memory_order_acquire) == total)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->mutex);
    atomic_store(&team->first_sleeps, 1);
    while (atomic_load(&team->done) != total)
        pthread_cond_wait(&team->all_done, &team->mutex);
    atomic_store(&team->first_sleeps, 0);
    pthread_mutex_unlock(&team->mutex);
}

/* Puts the blocks with work before the end into the lists. Returns how many; *cost: about how long they take. */
static uint32_t share_out(team *team, uint32_t *cost)
{
    const hd_engine *engine = team->engine;
    uint32_t total = 0;
    *cost = 0;
    for (uint32_t i = 0; i < team->size; i++)
        team->counts[i] = 0;
    for (uint32_t first = 0; first < engine->node_count; first += 64)
        for (uint64_t left = engine->awake[first / 64] & leap_calls(&engine->leap, first); left; left &= left - 1) {
            uint32_t b = first + (uint32_t)__builtin_ctzll(left);
            if (engine->next[b] >= team->end)
                continue;
            b = window_unit(engine->nodes[b], team->windows);
            if (b == HD_NO_BLOCK)
                continue;
            const uint32_t home = team->homes[b];
            team->shares[home].blocks[team->counts[home]++] = b;
            *cost += team->costs[b];
            total++;
        }
    return total;
}

static void run_alone(team *team)
{
    for (uint32_t i = 0; i < team->size; i++)
        for (uint32_t entry = 0; entry < team->counts[i]; entry++)
            call_block(team, team->shares[i].blocks[entry], 0);
}

void team_run(team *team, hd_time end)
{
    uint32_t cost;
    team->end = end;
    team->samples = team->windows++ % SAMPLE_WINDOWS == 0;
    const uint32_t total = share_out(team, &cost);
    uint32_t *usual = &team->usual_costs[team->engine->leap.calls];
    *usual = (7 * *usual + cost) / 8;
    const uint32_t is_worth_it = cost >= WORTH_NS && *usual >= WORTH_NS;
    if (total < 2 || (!is_worth_it && !team->engine->disturbance)) {
        run_alone(team);
        return;
    }
    atomic_store_explicit(&team->done, 0, memory_order_relaxed);
    for (uint32_t i = 0; i < team->size; i++)
        atomic_store_explicit(&team->shares[i].left, (int)team->counts[i], memory_order_release);
    call_everybody(team);
    atomic_fetch_add(&team->done, take_part(team, 0));
    await_others(team, total);
}

/* The n-th block of a class is at home at thread n: threads get equally many of each class. */
static void find_homes(team *team)
{
    const hd_engine *engine = team->engine;
    for (uint32_t b = 0; b < engine->node_count; b++) {
        uint32_t before = 0;
        for (uint32_t other = 0; other < b; other++)
            before += engine->nodes[other]->block_class == engine->nodes[b]->block_class;
        team->homes[b] = before % team->size;
    }
}

/* Members from this number on end. */
static void dismiss(team *team, uint32_t first)
{
    atomic_store(&team->stays, first);
    call_everybody(team);
    for (uint32_t i = first; i < team->size; i++)
        pthread_join(team->members[i].thread, NULL);
    team->size = first; /* one of them may have been on its way out of the last window */
}

/* Returns 0; or why there are fewer than were asked for. Then one of those that could be started is given up: the program of
 * the host needs a thread too. */
static int start_members(team *team, uint32_t threads)
{
    for (team->size = 1; team->size < threads; team->size++) {
        member *member = &team->members[team->size];
        member->team = team;
        member->index = team->size;
        const int failure = pthread_create(&member->thread, NULL, member_main, member);
        if (!failure)
            continue;
        if (team->size > 1)
            dismiss(team, team->size - 1);
        return failure;
    }
    return 0;
}

uint32_t team_size(const team *team)
{
    return team->size;
}

team *team_create(hd_engine *engine, uint32_t threads, int *shortage)
{
    team *made = aligned_zero(sizeof *made);
    const size_t words = engine->node_count + 1;
    made->engine = engine;
    made->threads = threads;
    made->stays = threads;
    made->spins = sysconf(_SC_NPROCESSORS_ONLN) >= (long)threads ? SPINS : 0;
    made->shares = aligned_zero(threads * sizeof *made->shares);
    made->members = aligned_zero(threads * sizeof *made->members);
    made->counts = aligned_zero(threads * sizeof *made->counts);
    made->homes = aligned_zero(words * sizeof *made->homes);
    made->costs = aligned_zero(words * sizeof *made->costs);
    for (uint32_t i = 0; i < threads; i++)
        made->shares[i].blocks = aligned_zero(words * sizeof(uint32_t));
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->shared_out, NULL);
    pthread_cond_init(&made->all_done, NULL);
    *shortage = start_members(made, threads);
    find_homes(made);
    return made;
}

void team_destroy(team *team)
{
    if (!team)
        return;
    dismiss(team, 1);
    for (uint32_t i = 0; i < team->threads; i++)
        free(team->shares[i].blocks);
    pthread_mutex_destroy(&team->mutex);
    pthread_cond_destroy(&team->shared_out);
    pthread_cond_destroy(&team->all_done);
    free(team->shares);
    free(team->members);
    free(team->counts);
    free(team->homes);
    free(team->costs);
    free(team);
}
