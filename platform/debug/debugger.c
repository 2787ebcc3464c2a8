/* SPDX-License-Identifier: MIT */
#include "debugger_internal.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

#define WAIT_MS 100 /* until somebody asks whether the run is to end */

static const char *const door_names[DOOR_COUNT] = {[DOOR_FIRMWARE] = "firmware", [DOOR_KERNELS] = "kernels"};

static const char *const programs[DOOR_COUNT] = {[DOOR_FIRMWARE] = "/firmware.elf", [DOOR_KERNELS] = "/kernel.elf"};

static void say(const debugger *self, char *line)
{
    self->setup.say(self->setup.context, line);
    free(line);
}

/* ---- Who listens -------------------------------------------------------------------------------------------------------- */

static uint32_t is_over(debugger *self)
{
    self->is_over |= self->setup.is_interrupted(self->setup.context);
    return self->is_over;
}

static uint32_t has_gdb(const debugger *self)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < DOOR_COUNT; i++)
        any |= door_has_gdb(&self->doors[i]);
    return any;
}

static uint32_t is_stopped(const debugger *self)
{
    uint32_t any = 0;
    for (uint32_t i = 0; i < DOOR_COUNT; i++)
        any |= door_is_stopped(&self->doors[i]);
    return any;
}

static void before_window(void *context);
static void before(void *context, const hd_debug_moment *moment);
static void fault(void *context, const hd_debug_moment *moment, uint32_t kind, const char *what);

/* Windows of 1 ps: what a block has yet to do at the time at which it stops another one cannot see. */
static void listen_at(debugger *self, uint32_t door, uint32_t listens)
{
    for (uint32_t i = 0; i < self->block_count; i++) {
        debugged *at = &self->blocks[i];
        const hd_debug_listener all = {.context = at,
                                       .before = before,
                                       .fault = fault,
                                       .watching = &self->doors[door].session.stops.watch_count,
                                       .watches = watches_ask,
                                       .accessed = watches_tell},
                                none = {0};
        if (at->door == door)
            at->ability->listen(at->block, listens ? &all : &none);
    }
    hd_engine_limit_windows(self->engine, has_gdb(self) ? 1 : 0, &(hd_window_watch){self, before_window});
}

static void dismiss(debugger *self, debug_door *door, const char *why)
{
    const enum session_state state = door->session.state;
    self->is_over |= state == SESSION_KILLED;
    door_dismiss(door);
    listen_at(self, (uint32_t)(door - self->doors), 0);
    if (why && !self->is_over)
        say(self, hd_text_format("gdb: %s: %s; the run goes on", door->what, why));
}

/* A gdb that has come finds all threads stopped. Only where all blocks stand at one time. */
static void admit(debugger *self)
{
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        if (self->doors[i].listening.socket < 0 || !door_admit(&self->doors[i]))
            continue;
        listen_at(self, i, 1);
        for (uint32_t b = 0; b < self->block_count; b++)
            if (self->blocks[b].door == i)
                hd_engine_wake(self->engine, self->blocks[b].endpoint);
    }
}

static void exchange(debugger *self)
{
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        debug_door *door = &self->doors[i];
        if (!door_has_gdb(door))
            continue;
        if (!door_exchange(door))
            dismiss(self, door, "gdb is gone");
        else if (door->session.state >= SESSION_DETACHED)
            dismiss(self, door, "gdb has left");
    }
}

/* One of them has the word. The other may interrupt it, which changes nothing but who has to go on. */
static void serve(debugger *self, uint32_t admits)
{
    while (is_stopped(self) && !is_over(self)) {
        doors_wait(self->doors, DOOR_COUNT, admits, WAIT_MS);
        if (admits)
            admit(self);
        exchange(self);
        for (uint32_t i = 0; i < DOOR_COUNT; i++) {
            debug_session *session = &self->doors[i].session;
            if (!door_has_gdb(&self->doors[i]) || session->state != SESSION_RUNNING || !session->stops.interrupted)
                continue;
            const debug_stop stop = stops_look_between(&session->stops, session->target);
            gdb_session_stop(session, &stop, 0);
        }
    }
}

/* ---- While the run goes on ---------------------------------------------------------------------------------------------- */

void debugger_stop(debugger *self, debug_door *door, const debug_stop *stop, uint32_t in_front)
{
    if (!door_has_gdb(door) || door->session.state != SESSION_RUNNING || self->is_over)
        return;
    gdb_session_stop(&door->session, stop, in_front);
    serve(self, 0);
}

static void look_at_moment(debugger *self, debug_door *door, const debug_moment *moment)
{
    while (door_has_gdb(door) && door->session.state == SESSION_RUNNING && !self->is_over) {
        const debug_stop stop = stops_look(&door->session.stops, moment, &door->target);
        if (stop.reason == STOP_NONE)
            return;
        debugger_stop(self, door, &stop, moment_has(moment, stop.thread));
    }
}

static debug_moment moment_of(const debugged *at, const hd_debug_moment *moment)
{
    const uint32_t is_kernel = at->door == DOOR_KERNELS, group = at->first_group + moment->group;
    return (debug_moment){.pc = moment->pc,
                          .first = is_kernel ? thread_of_lane(at, moment->group, 0) : TARGET_ANY + group,
                          .threads = moment->lanes,
                          .address = moment->address,
                          .bytes = moment->bytes,
                          .access = (moment->access & HD_DEBUG_READS ? ACCESS_READ : 0) |
                                    (moment->access & HD_DEBUG_WRITES ? ACCESS_WRITE : 0)};
}

static void before_window(void *context)
{
    watches_look(context);
}

static void before(void *context, const hd_debug_moment *moment)
{
    const debugged *at = context;
    const debug_moment now = moment_of(at, moment);
    look_at_moment(at->debugger, &at->debugger->doors[at->door], &now);
}

/* Whose registers show how it came to that. When gdb lets it go on, the run ends. */
static void fault(void *context, const hd_debug_moment *moment, uint32_t kind, const char *what)
{
    static const uint32_t signals[] = {
        [HD_DEBUG_FAULT_ADDRESS] = 11, [HD_DEBUG_FAULT_INSTRUCTION] = 4, [HD_DEBUG_FAULT_TRAP] = 5};
    const debugged *at = context;
    debug_door *door = &at->debugger->doors[at->door];
    const debug_moment now = moment_of(at, moment);
    const debug_stop stop = {
        .reason = STOP_FAULT, .signal = signals[kind], .thread = now.first + (uint64_t)__builtin_ctzll(now.threads)};
    if (!door_has_gdb(door) || door->session.state != SESSION_RUNNING || at->debugger->is_over)
        return;
    char *line = hd_text_format("%s\n", what);
    gdb_session_say(&door->session, line);
    free(line);
    debugger_stop(at->debugger, door, &stop, 1);
}

uint32_t debugger_look(debugger *self)
{
    if (is_over(self))
        return 1;
    admit(self);
    exchange(self);
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        debug_session *session = &self->doors[i].session;
        if (!door_has_gdb(&self->doors[i]) || session->state != SESSION_RUNNING)
            continue;
        const debug_stop stop = stops_look_between(&session->stops, session->target);
        if (stop.reason != STOP_NONE)
            gdb_session_stop(session, &stop, 0);
    }
    serve(self, 1);
    return is_over(self);
}

void debugger_begin(debugger *self)
{
    while (!has_gdb(self) && !is_over(self)) {
        doors_wait(self->doors, DOOR_COUNT, 1, WAIT_MS);
        admit(self);
    }
    serve(self, 1);
}

void debugger_end(debugger *self, int code)
{
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        if (!door_has_gdb(&self->doors[i]))
            continue;
        gdb_session_exit(&self->doors[i].session, (uint32_t)code);
        dismiss(self, &self->doors[i], NULL);
    }
}

/* ---- Building ------------------------------------------------------------------------------------------------------------ */

static void add_block(debugger *self, uint32_t endpoint, uint32_t *groups)
{
    const hd_block_class *type = hd_engine_block_class(self->engine, endpoint);
    hd_block *block = hd_engine_block(self->engine, endpoint);
    const hd_debug *ability = type->extension ? type->extension(block, HD_EXTENSION_DEBUG) : NULL;
    if (!ability)
        return;
    const uint32_t door = ability->register_bytes == 8 ? DOOR_FIRMWARE : DOOR_KERNELS;
    debugged *at = &self->blocks[self->block_count++];
    *at = (debugged){.debugger = self,
                     .endpoint = endpoint,
                     .door = door,
                     .block = block,
                     .ability = ability,
                     .first_group = groups[door],
                     .groups = ability->groups(block)};
    groups[door] += at->groups;
}

static void find_blocks(debugger *self)
{
    const uint32_t count = hd_engine_block_count(self->engine);
    uint32_t groups[DOOR_COUNT] = {0};
    self->blocks = calloc(count + 1, sizeof *self->blocks);
    if (!self->blocks)
        abort();
    for (uint32_t endpoint = 0; endpoint < count; endpoint++)
        add_block(self, endpoint, groups);
}

/* Apps that share the device have their kernels behind those of the first one. What is moved has few notes for debuggers; the kernels
 * beside it, of the same layout, have all. */
static char *symbols_beside(const debugger *self, uint32_t door)
{
    hd_text text = {0};
    const char *kernels;
    uint32_t moved;
    for (uint32_t i = 0; door == DOOR_KERNELS && (kernels = hd_machine_kernels_beside(self->machine, i, &moved)); i++)
        hd_text_add(&text, " -ex 'add-symbol-file %.*s%s -o 0x%x'", (int)(strrchr(kernels, '/') - kernels), kernels,
                    programs[DOOR_KERNELS], moved);
    return hd_text_take(&text);
}

static uint32_t open_door(debugger *self, uint32_t i, char **error)
{
    debug_door *door = &self->doors[i];
    const uint32_t port = self->setup.port ? self->setup.port + i : 0;
    if (!debugger_first(self, i))
        return 1;
    const int failure = door_open(door, port);
    if (failure) {
        *error = hd_text_format("error: --gdb %u: port %u of %s: %s\n", self->setup.port, port, door->what,
                                strerror(failure));
        return 0;
    }
    char *others = symbols_beside(self, i);
    say(self, hd_text_format("gdb: %s: gdb-multiarch -ex 'target remote :%u'%s%s%s%s", door->what, door->port,
                             self->setup.app ? " " : "", self->setup.app ? self->setup.app : "",
                             self->setup.app ? programs[i] : "", others ? others : ""));
    free(others);
    return 1;
}

debugger *debugger_create(hd_machine *machine, const debugger_setup *setup, char **error)
{
    debugger *self = calloc(1, sizeof *self);
    if (!self)
        abort();
    self->setup = *setup;
    self->machine = machine;
    self->engine = hd_machine_engine(machine);
    self->focus = TARGET_ANY;
    self->doors[DOOR_FIRMWARE].target = firmware_target(self);
    self->doors[DOOR_KERNELS].target = kernel_target(self);
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        self->doors[i].what = door_names[i];
        self->doors[i].listening.socket = self->doors[i].connection = -1;
    }
    find_blocks(self);
    if (!self->block_count)
        *error = hd_text_format("error: --gdb: no block of the machine can be debugged\n");
    else if (open_door(self, DOOR_FIRMWARE, error) && open_door(self, DOOR_KERNELS, error))
        return self;
    debugger_destroy(self);
    return NULL;
}

void debugger_destroy(debugger *self)
{
    if (!self)
        return;
    for (uint32_t i = 0; i < DOOR_COUNT; i++) {
        if (door_has_gdb(&self->doors[i]))
            door_dismiss(&self->doors[i]);
        door_close(&self->doors[i]);
    }
    free(self->deferred);
    free(self->blocks);
    free(self);
}
