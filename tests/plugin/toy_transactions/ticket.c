/* SPDX-License-Identifier: MIT */
/*
 * A protocol of transactions from outside: an attempt runs when its warp has the machine's only ticket, so that no other warp is in
 * its way. Loads are plain; stores stay in the log until the commit, and then go to the office, which writes them. Lanes of the warp
 * may still conflict; that is not the protocol's business.
 */
#include <stdlib.h>

#include "ticket.h"
#include "tx/protocol.h"

enum { KEEP, PARAMETERS };
enum { TICKETS, WORDS, STATISTICS };
enum { NO_TICKET, WANTED, ASKED, HELD };

typedef struct ticket {
    transactions *t;
    const hd_unit_share *share;
    uint32_t *states;   /* [warp]: NO_TICKET, ... */
    uint64_t *numbers;  /* [warp]: of its ticket */
    tx_queue asking;    /* warps that wait for room to ask */
    uint32_t committer; /* warp; warp_count: none. Of its log, what comes next: */
    uint32_t lane, entry;
    uint32_t all_sent;
    uint32_t message_ask, message_granted, message_word, message_written, message_stored, message_load;
} ticket;

static void destroy(tx *unit)
{
    ticket *k = (ticket *)unit;
    free(k->states);
    free(k->numbers);
    free(k->asking.warps);
    free(k);
}

static void reset(tx *unit)
{
    ticket *k = (ticket *)unit;
    for (uint32_t warp = 0; warp < k->t->core.warp_count; warp++) {
        k->states[warp] = NO_TICKET;
        k->numbers[warp] = 0;
    }
    k->asking.head = k->asking.count = 0;
    k->committer = k->t->core.warp_count;
    k->lane = k->entry = k->all_sent = 0;
}

static uint32_t message(const transactions *t, const char *name)
{
    return t->core.services->message(t->core.services->context, name);
}

static tx *create(transactions *t, const hd_unit_share *share)
{
    const uint32_t warps = t->core.warp_count;
    ticket *k = calloc(1, sizeof *k);
    if (!k)
        return NULL;
    k->t = t;
    k->share = share;
    k->states = calloc(warps, sizeof *k->states);
    k->numbers = calloc(warps, sizeof *k->numbers);
    k->asking = (tx_queue){.warps = calloc(warps, sizeof *k->asking.warps), .capacity = warps};
    if (!k->states || !k->numbers || !k->asking.warps) {
        destroy((tx *)k);
        return NULL;
    }
    k->message_ask = message(t, TICKET_ASK);
    k->message_granted = message(t, TICKET_GRANTED);
    k->message_word = message(t, TICKET_WORD);
    k->message_written = message(t, TICKET_WRITTEN);
    k->message_stored = message(t, TICKET_STORED);
    k->message_load = message(t, HD_GLOBAL_LOAD);
    return (tx *)k;
}

static void nothing(tx *unit)
{
    (void)unit;
}

/* ---- Messages --------------------------------------------------------------------------------------------------------- */

static uint32_t can_send(const ticket *k)
{
    return k->t->core.port->can_send(k->t->core.context);
}

static hd_packet *packet_to_office(const ticket *k, uint32_t warp, uint32_t message)
{
    const hd_services *services = k->t->core.services;
    hd_packet *packet = services->alloc(services->context, 0);
    packet->message = message;
    packet->source = (uint16_t)services->endpoint;
    packet->traffic_class = HD_CLASS_TRANSACTION;
    packet->flow = tx_global_warp(k->t, warp);
    packet->epoch = tx_warp_of(k->t, warp)->epoch;
    packet->wire_bytes = HD_HEADER_WIRE_BYTES;
    return packet;
}

static void send(const ticket *k, hd_packet *packet)
{
    k->t->core.port->send(k->t->core.context, packet);
}

/* The next word that the lane has committed; 0: there is none. */
static uint32_t find_word(ticket *k, uint32_t lane)
{
    const tx_log *log = &tx_warp_of(k->t, k->committer)->writes;
    while (k->entry < log->length && !(log->mask[k->entry] >> lane & 1))
        k->entry++;
    return k->entry < log->length;
}

static void send_word(ticket *k)
{
    const tx_log *log = &tx_warp_of(k->t, k->committer)->writes;
    const size_t at = tx_log_at(log, k->entry++, k->lane);
    hd_packet *packet = packet_to_office(k, k->committer, k->message_word);
    packet->address = log->address[at];
    packet->argument = log->value[at];
    packet->tag = log->bytes[at];
    k->share->counters[WORDS]++;
    send(k, packet);
}

/* Whether the warp gives its ticket back: other lanes of the transaction may have to begin again. */
static uint32_t gives_back(const ticket *k, uint32_t warp)
{
    return !k->share->values[KEEP].u || !tx_aborted(k->t, warp);
}

static void send_end(ticket *k)
{
    const uint32_t warp = k->committer;
    hd_packet *packet = packet_to_office(k, warp, k->message_written);
    packet->argument = gives_back(k, warp);
    if (packet->argument)
        k->states[warp] = NO_TICKET;
    k->all_sent = 1;
    send(k, packet);
}

/* Lane by lane: of a word that several have written, the highest writes last. */
static void send_commit(ticket *k)
{
    const uint64_t lanes = tx_running(k->t, k->committer);
    for (; k->lane < k->t->core.lane_count; k->lane++, k->entry = 0)
        while (lanes >> k->lane & 1 && find_word(k, k->lane)) {
            if (!can_send(k))
                return;
            send_word(k);
        }
    if (can_send(k))
        send_end(k);
}

static void ask(ticket *k)
{
    while (k->asking.count && can_send(k)) {
        const uint32_t warp = tx_queue_pop(&k->asking);
        send(k, packet_to_office(k, warp, k->message_ask));
        k->states[warp] = ASKED;
    }
}

static void work(tx *unit)
{
    ticket *k = (ticket *)unit;
    if (k->committer < k->t->core.warp_count && !k->all_sent)
        send_commit(k);
    ask(k);
    if (k->asking.count || (k->committer < k->t->core.warp_count && !k->all_sent))
        tx_wake(k->t, k->t->core.now->n + 1);
}

/* ---- Attempts ----------------------------------------------------------------------------------------------------------- */

static uint64_t may_begin(const tx *unit, uint32_t warp, uint64_t lanes)
{
    (void)unit, (void)warp;
    return lanes;
}

static void begin(tx *unit, uint32_t warp, uint64_t lanes)
{
    ticket *k = (ticket *)unit;
    tx_warp *w = tx_warp_of(k->t, warp);
    (void)lanes;
    w->order = k->numbers[warp];
    if (k->states[warp] == HELD)
        return;
    w->is_gated = 1;
    k->states[warp] = WANTED;
    tx_queue_push(&k->asking, warp);
    work(unit);
}

/* Its lanes may have aborted meanwhile: then the attempt is over. */
static void granted(ticket *k, uint32_t warp, uint64_t number)
{
    tx_warp *w = tx_warp_of(k->t, warp);
    k->states[warp] = HELD;
    k->numbers[warp] = w->order = number;
    k->share->counters[TICKETS]++;
    w->is_gated = 0;
    if (w->state == TX_DRAIN)
        tx_step(k->t, warp);
    else
        k->t->core.port->recheck(k->t->core.context, warp);
}

static void aborted(tx *unit, uint32_t warp, uint64_t lanes, uint32_t reason)
{
    (void)unit, (void)warp, (void)lanes, (void)reason;
}

static void commit(tx *unit, uint32_t warp, uint64_t lanes)
{
    ticket *k = (ticket *)unit;
    tx_report_commits(k->t, warp, lanes, k->t->core.now->t);
    k->committer = warp;
    k->lane = k->entry = k->all_sent = 0;
    work(unit);
}

static void stored(ticket *k)
{
    const uint32_t warp = k->committer;
    k->committer = k->t->core.warp_count;
    tx_decide(k->t, warp, tx_running(k->t, warp), 0, TX_NO_REASON);
}

static void reply(tx *unit, const hd_packet *packet)
{
    ticket *k = (ticket *)unit;
    const tx_core *core = &k->t->core;
    if (packet->message == k->message_granted)
        granted(k, packet->flow - core->services->index * core->warp_count, packet->tag);
    else if (packet->message == k->message_stored)
        stored(k);
    else
        core->services->fault(core->services->context, core->now->t, "%s: a reply of unknown message %u",
                              core->services->name, packet->message);
}

/* ---- Loads -------------------------------------------------------------------------------------------------------------- */

static hd_packet *request(tx *unit, const memory_access *access, uint64_t lanes, uint64_t address, uint32_t bytes,
                          uint64_t tag)
{
    const ticket *k = (const ticket *)unit;
    (void)lanes, (void)tag;
    hd_packet *packet = tx_packet(k->t, access->warp, k->message_load, address, 0);
    packet->traffic_class = HD_CLASS_GLOBAL;
    packet->argument = bytes;
    return packet;
}

static hd_packet *next_packet(tx *unit)
{
    (void)unit;
    return NULL;
}

static uint32_t in_flight(const tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
    return 0; /* a commit ends when all is in memory */
}

static uint32_t timestamp(const tx *unit, uint32_t warp)
{
    return (uint32_t)((const ticket *)unit)->numbers[warp];
}

static void new_warp(tx *unit, uint32_t warp)
{
    (void)unit, (void)warp;
}

static const tx_unit functions = {
    .domains = TX_GLOBAL,
    .merges_writes = 1,
    .sends_at_once = 1,
    .create = create,
    .destroy = destroy,
    .reset = reset,
    .align = nothing,
    .may_begin = may_begin,
    .begin = begin,
    .request = request,
    .reply = reply,
    .next_packet = next_packet,
    .aborted = aborted,
    .commit = commit,
    .in_flight = in_flight,
    .work = work,
    .timestamp = timestamp,
    .new_warp = new_warp,
};

/* ---- What it says about itself ------------------------------------------------------------------------------------------- */

static const hd_parameter parameters[PARAMETERS] = {
    [KEEP] = {.name = "keep",
              .type = HD_TYPE_BOOLEAN,
              .standard = "true",
              .doc = "a warp keeps its ticket until all lanes of its transaction have committed"},
};

static const hd_statistic statistics[STATISTICS] = {
    [TICKETS] = {.name = "tx_tickets", .unit = "tickets", .kind = HD_STATISTIC_COUNT, .doc = "tickets that warps had"},
    [WORDS] = {.name = "tx_ticket_words",
               .unit = "words",
               .kind = HD_STATISTIC_COUNT,
               .doc = "words sent to the office, by lanes that committed"},
};

static const hd_message_use messages[] = {
    {TICKET_ASK, HD_MESSAGE_SENT, 0, "transaction_request"},
    {TICKET_WORD, HD_MESSAGE_SENT, 0, "transaction_request"},
    {TICKET_WRITTEN, HD_MESSAGE_SENT, 0, "transaction_request"},
    {TICKET_GRANTED, HD_MESSAGE_RECEIVED, 0, "transaction_reply"},
    {TICKET_STORED, HD_MESSAGE_RECEIVED, 0, "transaction_reply"},
};

static const hd_requirement requirements[] = {
    {.what = HD_REQUIRES_BLOCK, .sentence = "needs one ticket office", .kind = "ticket_office", .type = "toy"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from port transaction_request of every core to the office",
     .word = "transaction_request",
     .kind = "ticket_office"},
    {.what = HD_REQUIRES_LINK,
     .sentence = "needs a link from the office to port transaction_reply of every core",
     .word = "transaction_reply",
     .kind = "ticket_office"},
    {.what = HD_REQUIRES_RANGE,
     .sentence = "needs tx.token_hold: who has the ticket must not wait for a token of those who wait for the ticket",
     .parameter = "tx.token_hold",
     .minimum = 1,
     .maximum = 1},
};

#define LENGTH(table) (sizeof(table) / sizeof *(table))

const hd_unit ticket_unit = {
    .abi_version = HD_ABI_VERSION,
    .struct_bytes = sizeof(hd_unit),
    .kind = "tx",
    .name = "ticket",
    .doc = "one warp of the machine at a time, that which has the ticket",
    .source = "an example",
    .interface = TX_INTERFACE,
    .functions = &functions,
    .abilities = TX_GLOBAL_ABILITY,
    .parameter_count = PARAMETERS,
    .parameters = parameters,
    .statistic_count = STATISTICS,
    .statistics = statistics,
    .message_count = LENGTH(messages),
    .messages = messages,
    .requirement_count = LENGTH(requirements),
    .requirements = requirements,
};
