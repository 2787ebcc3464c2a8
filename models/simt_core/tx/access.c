/* SPDX-License-Identifier: MIT */
/* Loads and stores within a transaction: held, served from the log, logged, sent. */
#include "mistakes.h"
#include "tx/tx.h"

#include <string.h>

/* ---- Before an access is issued ---------------------------------------------------------------------------------------- */

static uint32_t is_access(const isa_instruction *instruction)
{
    return instruction->instruction_class == ISA_CLASS_LOAD || instruction->instruction_class == ISA_CLASS_STORE ||
           instruction->instruction_class == ISA_CLASS_ATOMIC;
}

static uint64_t global_lanes(const uint32_t *address, uint64_t mask)
{
    uint64_t lanes = 0;
    for (uint64_t left = mask; left; left &= left - 1)
        lanes |= address[__builtin_ctzll(left)] >= HD_GLOBAL_BASE ? left & -left : 0;
    return lanes;
}

static uint64_t global_lanes_of(const transactions *t, uint32_t path)
{
    uint32_t address[MAX_LANES];
    t->core.port->addresses(t->core.context, path, address);
    return global_lanes(address, t->core.paths[path].mask);
}

/* Those of the warp before a transaction on the scratchpad, which loads plainly from global memory. */
static uint32_t waits_for_commits(const transactions *t, uint32_t warp)
{
    return t->warps[warp].domain == TX_SCRATCHPAD && tx_in_flight(t, warp);
}

/* In the transaction: for a store that is not approved, for words on their way to the undo log, for plain stores before it. */
static uint32_t holds_inside(const transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const uint32_t warp = t->core.paths[path].warp;
    const tx_warp *w = &t->warps[warp];
    const tx_protocol *protocol = tx_protocol_of(t, warp);
    if (w->is_gated || (protocol->unit->holds && protocol->unit->holds(protocol->state, path, instruction)))
        return 1;
    if (w->stores && tx_parameter(t, TX_PARAMETER_TX_STORE_BLOCKING))
        return 1;
    if (instruction->operation == ISA_OP_TX_COMMIT)
        return tx_is_last_commit(t, path) && !tx_is_drained(t, warp);
    if (!is_access(instruction))
        return 0;
    if (instruction->instruction_class == ISA_CLASS_STORE && w->undo.pending)
        return 1;
    if (!tx_is_drained(t, warp) && memory_free_accesses(t->core.memory) <= TX_ACCESSES * t->tokens)
        return 1;
    return (memory_stores_outstanding(t->core.memory, path) || waits_for_commits(t, warp)) && global_lanes_of(t, path);
}

uint32_t tx_holds(const transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const uint32_t warp = t->core.paths[path].warp;
    if (tx_is_inside(t, path))
        return holds_inside(t, path, instruction);
    if (instruction->operation == ISA_OP_TX_BEGIN)
        return t->warps[warp].state != TX_OUTSIDE || t->core.port->accesses_in_flight(t->core.context, path);
    if (!tx_in_flight(t, warp))
        return 0;
    return instruction->instruction_class == ISA_CLASS_FENCE ||
           (is_access(instruction) && global_lanes_of(t, path) != 0);
}

const char *tx_forbids(const transactions *t, uint32_t path, const isa_instruction *instruction)
{
    if (!tx_is_inside(t, path))
        return NULL;
    const char *forbidden = forbidden_in_transaction(instruction, t->core.paths[path].depth);
    return forbidden ? forbidden : tx_patience_refusal(t, path);
}

/* Why a transaction may not store to this address: nobody would take it back. NULL: it may. */
static const char *refusal_of_store(uint32_t domain, uint32_t address)
{
    const uint32_t is_scratchpad = address - HD_SCRATCHPAD_BASE < HD_SCRATCHPAD_END - HD_SCRATCHPAD_BASE;
    if (domain == TX_GLOBAL && is_scratchpad)
        return MISTAKE_SCRATCHPAD_STORE;
    return domain == TX_SCRATCHPAD && address >= HD_GLOBAL_BASE ? MISTAKE_GLOBAL_STORE : NULL;
}

void tx_before_issue(transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const tx_protocol *protocol = t->of[TX_GLOBAL];
    if (tx_domain(t, path) == TX_GLOBAL && is_access(instruction))
        protocol->unit->before_issue(protocol->state, path, instruction);
}

int tx_before_access(transactions *t, uint32_t path, const isa_instruction *instruction)
{
    const struct path *p = &t->core.paths[path];
    uint32_t address[MAX_LANES];
    if (!tx_is_inside(t, path) || instruction->instruction_class != ISA_CLASS_STORE)
        return 0;
    t->core.port->addresses(t->core.context, path, address);
    for (uint64_t left = p->mask; left; left &= left - 1) {
        const char *refused = refusal_of_store(t->warps[p->warp].domain, address[__builtin_ctzll(left)]);
        if (refused) {
            if (!tx_forgives(t, path, left & -left, p->pc, refused))
                tx_fault(t, p->warp, p->pc, left & -left, "%s", refused);
            return -1;
        }
    }
    return tx_undo_save(t, path, address);
}

/* An attempt that gets further than those before it is progress; one that only repeats them is not. */
static void note_access(const transactions *t, tx_warp *w)
{
    if (++w->accesses <= w->furthest)
        return;
    w->furthest = w->accesses;
    t->core.services->progress(t->core.services->context, t->core.now->t);
}

uint32_t tx_submitted(transactions *t, const memory_access *access)
{
    tx_warp *w = &t->warps[access->warp];
    if (access->instruction->instruction_class == ISA_CLASS_ATOMIC)
        thread_time_begin_atomic(&t->times[access->warp], t->core.counters, access->mask, t->core.now->n);
    if (!access->transactional)
        return 0;
    note_access(t, w);
    const uint32_t is_store = access->transactional == TX_GLOBAL &&
                              access->instruction->instruction_class == ISA_CLASS_STORE &&
                              global_lanes_of(t, access->path) != 0;
    w->stores += is_store;
    return is_store;
}

void tx_access_done(transactions *t, const ticket_state *ticket, uint64_t mask, const uint32_t *value, uint32_t last)
{
    tx_warp *w = &t->warps[ticket->warp];
    if (ticket->instruction == &t->undo_load) {
        tx_undo_saved(t, ticket->warp, mask, value);
        w->undo.pending = w->undo.pending && !last;
    }
    if (ticket->instruction->instruction_class == ISA_CLASS_ATOMIC)
        thread_time_end_atomic(&t->times[ticket->warp], t->core.counters, mask, t->core.now->n);
    w->stores -= last && ticket->transactional_store;
    const tx_protocol *protocol = tx_protocol_of(t, ticket->warp);
    if (last && w->state == TX_RUN && ticket->path == w->path && protocol->unit->drained &&
        tx_is_drained(t, ticket->warp))
        protocol->unit->drained(protocol->state, ticket->warp);
    if (last && w->state >= TX_DRAIN && ticket->path == w->path && tx_is_drained(t, ticket->warp))
        tx_step(t, ticket->warp);
}

/* ---- The log -------------------------------------------------------------------------------------------------------------- */

static uint64_t row_bytes(const transactions *t)
{
    const uint64_t line = t->core.log_line_bytes;
    return (t->core.lane_count * 4 + line - 1) / line * line;
}

static uint32_t lines_of(uint64_t bytes)
{
    return (uint32_t)((bytes + HD_LINE_BYTES - 1) / HD_LINE_BYTES);
}

uint32_t tx_logs_fit(const transactions *t, uint32_t warp)
{
    const tx_block block = t->core.port->block_of(t->core.context, warp);
    const uint64_t logs = (uint64_t)MEMORY_LOG_ARRAYS * lines_of(row_bytes(t) * t->warps[warp].reads.capacity);
    const uint64_t stacks = lines_of((uint64_t)t->core.lane_count * block.grid->private_bytes);
    return block.warps * (logs + stacks) <= HD_CONTEXT_LINES;
}

memory_log_run tx_log_run(const transactions *t, uint32_t warp, const tx_log *log, uint32_t entry, uint32_t row,
                          uint32_t count)
{
    const uint64_t bytes = row_bytes(t);
    return (memory_log_run){.array = 2 * (log == &t->warps[warp].writes) + row,
                            .place = (uint32_t)(entry * bytes),
                            .count = (uint16_t)(count * (bytes / t->core.log_line_bytes))};
}

static void add_run(const transactions *t, memory_log_use *use, memory_log_run run, uint32_t writes)
{
    if (tx_parameter(t, TX_PARAMETER_TX_LOG_TRAFFIC) != 0 || run.count == 0)
        return;
    run.writes = (uint16_t)writes;
    use->run[use->runs++] = run;
}

/* Lanes need an entry of a log that has no more: each of them aborts, or faults. Returns those that the access is over for. */
static uint64_t overflow(transactions *t, const memory_access *access, uint64_t lanes, enum tx_trouble trouble)
{
    char text[TX_FAULT_BYTES];
    snprintf(text, sizeof text, "the %s log of a transaction is full with %u words: raise tx.log_bytes",
             trouble == TX_READ_LOG_FULL ? "read" : "write", t->warps[access->warp].reads.capacity);
    const tx_mishap mishap = {.trouble = trouble, .pc = access->pc, .text = text};
    const uint64_t faulty = tx_abort_doomed(t, access->warp, lanes, &mishap);
    if (!faulty)
        return lanes;
    tx_fault(t, access->warp, access->pc, faulty, "%s", text);
    return access->mask;
}

/* ---- Loads ---------------------------------------------------------------------------------------------------------------- */

/* What the lane has written of the word: its own bytes, and whether these are all that it loads. */
static uint32_t forward(transactions *t, memory_access *access, uint32_t lane, memory_log_use *use)
{
    const tx_warp *w = &t->warps[access->warp];
    const uint32_t needed = tx_access_bytes(access, lane);
    uint32_t value;
    use->own[lane] = (uint8_t)(tx_log_bytes(&w->writes, lane, access->address[lane] & ~3u, &value) & needed);
    access->compare[lane] = value;
    if (use->own[lane] != needed || tx_parameter(t, TX_PARAMETER_TX_OWN_READS) != 0)
        return 0;
    value >>= 8 * (access->address[lane] % 4);
    access->data[lane] =
        access->instruction->access_bytes == 4 ? value : value & ((1u << 8 * access->instruction->access_bytes) - 1);
    return 1;
}

static void enter_load(transactions *t, memory_access *access, uint64_t lanes, memory_log_use *use)
{
    tx_warp *w = &t->warps[access->warp];
    uint64_t served = 0, own = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        served |= forward(t, access, lane, use) ? left & -left : 0;
        own |= use->own[lane] ? left & -left : 0;
    }
    t->core.counters->tx_own_reads += bits_count(served);
    use->served |= served;
    tx_record_access(t, access, served, TX_NO_ENTRY);
    if (own) {
        add_run(t, use, tx_log_run(t, access->warp, &w->writes, 0, 0, w->writes.length), 0);
        add_run(t, use, tx_log_run(t, access->warp, &w->writes, 0, 1, 1), 0);
    }
    if (lanes == served)
        return;
    const uint32_t entry = tx_log_append(&w->reads, lanes & ~served);
    access->log_entry = entry;
    if (entry == TX_NO_ENTRY) {
        use->served |= overflow(t, access, lanes & ~served, TX_READ_LOG_FULL);
        return;
    }
    for (uint64_t left = lanes & ~served; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        w->reads.address[tx_log_at(&w->reads, entry, lane)] = access->address[lane] & ~3u;
    }
    tx_record_access(t, access, lanes & ~served, entry);
    add_run(t, use, tx_log_run(t, access->warp, &w->reads, entry, 0, 1), 1);
}

static void loaded(void *context, memory_access *access, uint64_t lanes, const uint8_t *own, const hd_packet *reply)
{
    transactions *t = context;
    tx_log *log = &t->warps[access->warp].reads;
    const tx_protocol *protocol = t->of[TX_GLOBAL];
    const uint64_t newer = protocol->unit->loaded ? protocol->unit->loaded(protocol->state, access, lanes, reply) : 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const size_t at = tx_log_at(log, access->log_entry, lane);
        log->value[at] = tx_access_value(access, lane);
        log->bytes[at] = (uint8_t)(tx_access_bytes(access, lane) & ~(uint32_t)own[lane]);
        log->sample[at] = t->told && !(newer & left & -left) ? hd_transaction_sample(reply) : HD_NO_SAMPLE;
    }
}

/* ---- Stores --------------------------------------------------------------------------------------------------------------- */

static void write_word(tx_log *log, uint32_t entry, const memory_access *access, uint32_t lane)
{
    const size_t at = tx_log_at(log, entry, lane);
    const uint32_t bytes = tx_access_bytes(access, lane);
    const uint32_t mask = hd_bits_of_bytes(bytes);
    log->address[at] = access->address[lane] & ~3u;
    log->value[at] = (log->value[at] & ~mask) | (tx_access_value(access, lane) & mask);
    log->bytes[at] |= (uint8_t)bytes;
}

static void enter_store(transactions *t, memory_access *access, uint64_t lanes, memory_log_use *use)
{
    const tx_unit *unit = t->of[TX_GLOBAL]->unit;
    tx_log *log = &t->warps[access->warp].writes;
    uint64_t fresh = lanes;
    tx_record_access(t, access, lanes, TX_NO_ENTRY);
    for (uint64_t left = unit->merges_writes ? lanes : 0; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left);
        const uint32_t entry = tx_log_find(log, lane, access->address[lane] & ~3u);
        if (entry == TX_NO_ENTRY)
            continue;
        write_word(log, entry, access, lane);
        fresh &= ~(left & -left);
    }
    if (!unit->asks_for_stores)
        use->served |= lanes;
    if (!fresh)
        return;
    const uint32_t entry = tx_log_append(log, fresh);
    if (entry == TX_NO_ENTRY) {
        use->served |= overflow(t, access, fresh, TX_WRITE_LOG_FULL);
        return;
    }
    for (uint64_t left = fresh; left; left &= left - 1)
        write_word(log, entry, access, (uint32_t)__builtin_ctzll(left));
    add_run(t, use, tx_log_run(t, access->warp, log, entry, 1, 1), 1);
    add_run(t, use, tx_log_run(t, access->warp, log, entry, 0, 1), 1);
}

/* ---- Conflicts within the warp, at the access ------------------------------------------------------------------------------- */

static uint64_t users_of(const tx_log *log, uint64_t lanes, uint32_t address)
{
    uint64_t users = 0;
    for (uint32_t entry = 0; entry < log->length; entry++)
        for (uint64_t left = log->mask[entry] & lanes; left; left &= left - 1)
            if (log->address[tx_log_at(log, entry, (uint32_t)__builtin_ctzll(left))] == address)
                users |= left & -left;
    return users;
}

/* Lanes of the access that conflict with another, or with a lower one in the same access. */
static uint64_t eager_losers(const transactions *t, const memory_access *access, uint64_t lanes)
{
    const tx_warp *w = &t->warps[access->warp];
    const uint64_t running = tx_running(t, access->warp);
    const uint32_t stores = access->instruction->instruction_class == ISA_CLASS_STORE;
    uint64_t losers = 0;
    for (uint64_t left = lanes; left; left &= left - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctzll(left), word = access->address[lane] & ~3u;
        const uint64_t others = running & ~losers & ~(left & -left);
        uint64_t users = users_of(&w->writes, others, word) | (stores ? users_of(&w->reads, others, word) : 0);
        for (uint64_t lower = stores ? lanes & ~losers & ((left & -left) - 1) : 0; lower; lower &= lower - 1)
            users |= (access->address[__builtin_ctzll(lower)] & ~3u) == word;
        losers |= users ? left & -left : 0;
    }
    return losers;
}

/* ---- Hooks of the memory pipe ------------------------------------------------------------------------------------------------ */

/* Lanes that have aborted since they were issued are served: with nothing. */
static void enter(void *context, memory_access *access, uint64_t lanes, memory_log_use *use)
{
    transactions *t = context;
    const tx_protocol *protocol = t->of[TX_GLOBAL];
    if (!protocol->unit->detects_within_warp && tx_parameter(t, TX_PARAMETER_TX_INTRA_WARP) == INTRA_WARP_EAGER)
        tx_abort_for(t, access->warp, eager_losers(t, access, lanes & tx_running(t, access->warp)),
                     &(tx_cause){.reason = TX_INTRA_WARP, .pc = access->pc, .winner = TX_NOBODY});
    if (protocol->unit->before_access)
        protocol->unit->before_access(protocol->state, access, lanes & tx_running(t, access->warp));
    const uint64_t running = lanes & tx_running(t, access->warp);
    use->served = lanes & ~running;
    if (!running)
        return;
    if (access->instruction->instruction_class == ISA_CLASS_STORE)
        enter_store(t, access, running, use);
    else
        enter_load(t, access, running, use);
}

static hd_packet *request(void *context, const memory_access *access, uint64_t *lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    transactions *t = context;
    *lanes &= tx_running(t, access->warp);
    if (!*lanes)
        return NULL;
    t->core.counters->tx_requests++;
    return t->of[TX_GLOBAL]->unit->request(t->of[TX_GLOBAL]->state, access, *lanes, address, bytes, tag);
}

/* The protocol that has packets: that of global memory. Of one for the scratchpad alone it is a mistake if there are any. */
static const tx_protocol *that_sends(const transactions *t)
{
    return t->of[TX_GLOBAL] ? t->of[TX_GLOBAL] : t->of[0];
}

static void reply(void *context, const hd_packet *packet)
{
    tx_receive(context, packet);
}

static hd_packet *next_packet(void *context)
{
    const tx_protocol *protocol = that_sends(context);
    return protocol->unit->next_packet(protocol->state);
}

static uint64_t at_banks(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place,
                         uint32_t *cycles)
{
    transactions *t = context;
    const uint64_t running = lanes & tx_running(t, access->warp);
    *cycles = 1;
    const tx_protocol *protocol = t->of[TX_SCRATCHPAD];
    return running ? protocol->unit->at_banks(protocol->state, access, running, place, cycles) : 0;
}

static void changed_plainly(void *context, const memory_access *access, uint64_t lanes, const uint32_t *place)
{
    const tx_protocol *protocol = ((const transactions *)context)->of[TX_SCRATCHPAD];
    protocol->unit->changed_plainly(protocol->state, access, lanes, place);
}

memory_transactions tx_memory_hooks(transactions *t)
{
    const tx_protocol *global = t->of[TX_GLOBAL];
    const tx_unit *scratchpad = t->of[TX_SCRATCHPAD] ? t->of[TX_SCRATCHPAD]->unit : NULL;
    return (memory_transactions){
        .context = t,
        .group_bytes = global && global->unit->group_bytes ? global->unit->group_bytes(global->state) : HD_LINE_BYTES,
        .enter = enter,
        .request = request,
        .loaded = loaded,
        .delivered = t->told ? tx_record_values : NULL,
        .moved = t->told ? tx_record_moved : NULL,
        .reply = reply,
        .next_packet = next_packet,
        .at_banks = scratchpad && scratchpad->at_banks ? at_banks : NULL,
        .changed_plainly = t->told && scratchpad && scratchpad->changed_plainly ? changed_plainly : NULL};
}

void tx_receive(transactions *t, const hd_packet *packet)
{
    const tx_protocol *protocol = that_sends(t);
    protocol->unit->reply(protocol->state, packet);
}

/* ---- For protocols --------------------------------------------------------------------------------------------------------- */

hd_packet *transactions_packet(const transactions *t, uint32_t warp, uint32_t message, uint64_t address,
                               uint32_t body_bytes)
{
    hd_packet *packet = memory_packet(t->core.memory, message, HD_CLASS_TRANSACTION, address, body_bytes);
    packet->epoch = t->warps[warp].epoch;
    packet->flow = tx_global_warp(t, warp);
    return packet;
}

void transactions_settled(transactions *t, uint32_t warp)
{
    t->core.port->look_for_ends(t->core.context);
    t->core.port->recheck(t->core.context, warp);
}
