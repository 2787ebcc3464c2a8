/* SPDX-License-Identifier: MIT */
/*
 * Results reach their registers: the scoreboard lets go of them, and paths that waited are looked at again. With write_back.width
 * only so many are written per edge, those of functional units first, whose pipelines cannot wait as a load can; each group
 * of lanes that an access gets its values for is a result. Values are in the registers before; nobody reads them earlier.
 */
#include "core_lanes.h"
#include "regrouped.h"
#include "tx/tx.h"

#include <stdlib.h>

static void push(result_queue *queue, const waiting_result *result)
{
    if (queue->count == queue->capacity) {
        const uint32_t capacity = queue->capacity ? 2 * queue->capacity : 64;
        waiting_result *grown = malloc(capacity * sizeof *grown);
        if (!grown)
            abort();
        for (uint32_t i = 0; i < queue->count; i++)
            grown[i] = queue->results[(queue->head + i) & (queue->capacity - 1)];
        free(queue->results);
        *queue = (result_queue){.results = grown, .capacity = capacity, .count = queue->count};
    }
    queue->results[(queue->head + queue->count++) & (queue->capacity - 1)] = *result;
}

static __attribute__((noinline)) void release_regrouped(simt_core *core, uint32_t path, uint32_t homes, uint32_t number,
                                                        uint64_t mask)
{
    if (number != ISA_NO_REGISTER)
        scoreboard_release(&core->scoreboard, path, homes_at(&core->kept, homes), number, mask);
    regrouped_recheck_threads(core, path, homes);
    homes_drop(&core->kept, homes);
}

static inline void finish_unit(simt_core *core, uint32_t path, uint32_t homes, uint32_t number, uint64_t mask)
{
    core->path_states[path].in_flight--;
    residency_recheck_ends(core);
    if (__builtin_expect(core->path_homes != NULL, 0)) {
        release_regrouped(core, path, homes, number, mask);
        return;
    }
    if (number != ISA_NO_REGISTER)
        scoreboard_release(&core->scoreboard, path, homes_of_row(homes), number, mask);
    front_end_recheck_slot(core, homes);
}

static __attribute__((noinline)) void finish_regrouped(simt_core *core, const ticket_state *access, uint64_t mask,
                                                       uint32_t last)
{
    const isa_instruction *instruction = access->instruction;
    if (instruction->writes && mask)
        scoreboard_release(&core->scoreboard, access->path, homes_at(&core->kept, access->homes), instruction->rd,
                           mask);
    if (!last && instruction->writes && regrouped_waits_on(core, access->path, access->homes, instruction->rd))
        return;
    if (last) {
        residency_recheck_ends(core);
        core->path_states[access->path].in_flight--;
        core->path_states[access->path].memory_in_flight--;
        regrouped_end_access(core, access->homes, instruction);
    }
    regrouped_recheck_threads(core, access->path, access->homes);
    if (last)
        homes_drop(&core->kept, access->homes);
}

static inline void finish_access(simt_core *core, const ticket_state *access, uint64_t mask, const uint32_t *value,
                                 uint32_t last)
{
    const isa_instruction *instruction = access->instruction;
    path_state *state = &core->path_states[access->path];
    uint64_t pending = 0;
    if (__builtin_expect(core->path_homes != NULL, 0)) {
        finish_regrouped(core, access, mask, last);
        return;
    }
    if (instruction->writes && mask)
        pending =
            scoreboard_release(&core->scoreboard, access->path, homes_of_row(access->warp), instruction->rd, mask);
    if (last) {
        residency_recheck_ends(core);
        state->in_flight--;
        state->memory_in_flight--;
        if (instruction->instruction_class == ISA_CLASS_ATOMIC && instruction->flags & ISA_FLAG_ACQUIRE)
            state->acquiring--;
    }
    if (core->tx.transactions)
        tx_access_done(core->tx.transactions, access, mask, value, last);
    if (!last && pending & core->paths[access->path].mask)
        return; /* nobody can go on: these lanes go with others of their path that still wait */
    front_end_recheck_slot(core, access->warp);
}

void write_back(simt_core *core, const wheel_event *event)
{
    if (!core->results.width || event->number == ISA_NO_REGISTER) {
        finish_unit(core, event->path, event->owner, event->number, event->mask);
        return;
    }
    push(&core->results.of_units, &(waiting_result){.mask = event->mask,
                                                    .since = core->now.n,
                                                    .path = event->path,
                                                    .homes = event->owner,
                                                    .number = event->number});
}

/* What writes no register needs no turn. The end of a load comes behind what it still has to write. */
void write_back_loaded(simt_core *core, const ticket_state *access, uint64_t mask, const uint32_t *value, uint32_t last)
{
    if (!core->results.width || !access->instruction->writes) {
        finish_access(core, access, mask, value, last);
        return;
    }
    core->edges.changed = 1;
    push(&core->results.loaded, &(waiting_result){.mask = mask,
                                                  .since = core->now.n,
                                                  .instruction = access->instruction,
                                                  .path = access->path,
                                                  .warp = access->warp,
                                                  .homes = access->homes,
                                                  .transactional_store = access->transactional_store,
                                                  .number = access->instruction->rd,
                                                  .last = (uint8_t)last});
}

static __attribute__((noinline)) void finish(simt_core *core, const waiting_result *result)
{
    const uint64_t waited = core->now.n - result->since;
    const ticket_state access = {.instruction = result->instruction,
                                 .path = result->path,
                                 .warp = result->warp,
                                 .homes = result->homes,
                                 .transactional_store = result->transactional_store};
    core->counters.write_back_waits += waited != 0 && result->mask != 0;
    core->counters.write_back_wait_cycles += result->mask ? waited : 0;
    if (result->instruction)
        finish_access(core, &access, result->mask, NULL, result->last);
    else
        finish_unit(core, result->path, result->homes, result->number, result->mask);
}

/* Returns how many turns are left. */
static uint32_t take_turns(simt_core *core, result_queue *queue, uint32_t turns)
{
    while (queue->count && (turns || !queue->results[queue->head & (queue->capacity - 1)].mask)) {
        const waiting_result result = queue->results[queue->head++ & (queue->capacity - 1)];
        queue->count--;
        turns -= result.mask != 0;
        finish(core, &result);
    }
    return turns;
}

void write_back_take_turns(simt_core *core)
{
    const uint32_t turns = take_turns(core, &core->results.of_units, core->results.width);
    take_turns(core, &core->results.loaded, turns);
}

static void result_transfer(waiting_result *result, const instruction_places *places, const hd_state_stream *stream)
{
    HD_STATE_VALUE(stream, result->mask);
    HD_STATE_VALUE(stream, result->since);
    instruction_transfer(places, &result->instruction, stream);
    HD_STATE_VALUE(stream, result->path);
    HD_STATE_VALUE(stream, result->warp);
    HD_STATE_VALUE(stream, result->homes);
    HD_STATE_VALUE(stream, result->transactional_store);
    HD_STATE_VALUE(stream, result->number);
    HD_STATE_VALUE(stream, result->last);
}

static void queue_transfer(result_queue *queue, const instruction_places *places, const hd_state_stream *stream)
{
    const uint32_t count = (uint32_t)hd_state_number(stream, queue->count);
    while (queue->count < count)
        push(queue, &(waiting_result){.mask = 0});
    for (uint32_t i = 0; i < count; i++)
        result_transfer(&queue->results[(queue->head + i) & (queue->capacity - 1)], places, stream);
}

void write_back_transfer(waiting_results *results, const instruction_places *places, const hd_state_stream *stream)
{
    queue_transfer(&results->of_units, places, stream);
    queue_transfer(&results->loaded, places, stream);
}
