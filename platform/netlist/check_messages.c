/* SPDX-License-Identifier: MIT */
/*
 * Which message types can arrive where. What a block sends straight to a receiver must be accepted by it. A block that
 * forwards does so by destination: what enters it must be accepted by someone behind it, and who stands behind it must
 * accept some of what can reach it. Of several links of one port each leads to another receiver: what is sent must be
 * accepted by one of them, and each of them must accept something.
 *
 * Where another choice of a parameter would let a block accept, or send, what is missed, that choice is the mistake, and is reported
 * once, whatever follows from it.
 */
#include "loader.h"

#include <string.h>

typedef struct message_check {
    loader *state;
    draft *work;
    candidates messages; /* every type that a class of the machine declares */
    uint32_t words;      /* of a set of types */
    uint64_t *entering;  /* per endpoint that forwards: what can come in */
    uint64_t *leaving;   /* per endpoint that forwards: what someone behind it accepts */
    uint8_t *is_told;    /* per written link */
    uint64_t *scratch;   /* a set */
    uint8_t **is_blamed; /* per block and parameter */
} message_check;

static const netlist_block *block_at(const message_check *check, netlist_end end)
{
    return &check->work->blocks[end.block];
}

static int forwards(const message_check *check, netlist_end end)
{
    return (block_at(check, end)->block_class->flags & HD_BLOCK_FORWARDS) != 0;
}

static uint64_t *set_of(const message_check *check, uint64_t *sets, netlist_end end)
{
    return sets + (size_t)(block_at(check, end)->first_endpoint + end.instance) * check->words;
}

static int is_in(const uint64_t *set, uint32_t message)
{
    return set[message / 64] >> (message % 64) & 1;
}

static uint32_t message_number(const message_check *check, const char *name)
{
    uint32_t number = 0;
    while (number < check->messages.count && strcmp(check->messages.names[number], name) != 0)
        number++;
    return number;
}

/* What the class declares to send or accept at a port, as a set. */
static void declared(const message_check *check, netlist_end end, uint32_t direction, uint64_t *set)
{
    const hd_block_class *block_class = block_at(check, end)->block_class;
    const hd_value *values = block_at(check, end)->values;
    memset(set, 0, check->words * sizeof *set);
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        const hd_message_use *use = &block_class->messages[i];
        if (use->direction != direction || !use->port || strcmp(use->port, block_class->ports[end.port].name) != 0 ||
            !hd_message_applies(use, values))
            continue;
        const uint32_t number = message_number(check, use->name);
        set[number / 64] |= UINT64_C(1) << (number % 64);
    }
}

static int add(uint64_t *set, const uint64_t *more, uint32_t words)
{
    int grew = 0;
    for (uint32_t i = 0; i < words; i++) {
        grew |= (more[i] & ~set[i]) != 0;
        set[i] |= more[i];
    }
    return grew;
}

/* What can come over the link, and what the far end of it takes. */
static void offered(const message_check *check, const netlist_link *link, uint64_t *set)
{
    declared(check, link->from, HD_MESSAGE_SENT, set);
    if (forwards(check, link->from))
        add(set, set_of(check, check->entering, link->from), check->words);
}

static void accepted(const message_check *check, const netlist_link *link, uint64_t *set)
{
    declared(check, link->to, HD_MESSAGE_RECEIVED, set);
    if (forwards(check, link->to))
        add(set, set_of(check, check->leaving, link->to), check->words);
}

static void spread(message_check *check, uint64_t *scratch)
{
    const netlist *machine = check->work->machine;
    for (int grew = 1; grew;) {
        grew = 0;
        for (uint32_t i = 0; i < machine->link_count; i++) {
            const netlist_link *link = &machine->links[i];
            if (link->is_memory || link->is_tap)
                continue;
            if (forwards(check, link->to)) {
                offered(check, link, scratch);
                grew |= add(set_of(check, check->entering, link->to), scratch, check->words);
            }
            if (forwards(check, link->from)) {
                accepted(check, link, scratch);
                grew |= add(set_of(check, check->leaving, link->from), scratch, check->words);
            }
        }
    }
}

/* ---- Choices that are to blame ---------------------------------------------------------------------------------------- */

/* A use of the message in that direction that the values of the block rule out; NULL: there is none. */
static const hd_message_use *ruled_out(const message_check *check, uint32_t block, const char *message,
                                       uint32_t direction)
{
    const hd_block_class *block_class = check->work->blocks[block].block_class;
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        const hd_message_use *use = &block_class->messages[i];
        if (use->direction == direction && !strcmp(use->name, message) &&
            !hd_message_applies(use, check->work->blocks[block].values))
            return use;
    }
    return NULL;
}

/* Values of the parameter with which the block has such a use: "eapg, kilo". */
static const char *choices_for(const message_check *check, uint32_t block, uint32_t parameter, const char *message,
                               uint32_t direction)
{
    arena *memory = check->state->memory;
    const hd_block_class *block_class = check->work->blocks[block].block_class;
    const char *text = "";
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        const hd_message_use *use = &block_class->messages[i];
        if (use->direction == direction && use->when >> 16 == parameter + 1 && !strcmp(use->name, message))
            text = arena_format(memory, "%s%s%s", text, *text ? ", " : "",
                                netlist_choice(&block_class->parameters[parameter], use->when & 0xFFFFu, memory));
    }
    return text;
}

/* Why the other block has the message, if not all of its kind have. */
static void note_reason(const message_check *check, uint32_t block, const char *message)
{
    const hd_block_class *block_class = check->work->blocks[block].block_class;
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        const hd_message_use *use = &block_class->messages[i];
        if (use->when && !strcmp(use->name, message) && hd_message_applies(use, check->work->blocks[block].values)) {
            netlist_note_parameter(check->state, check->work, block, (use->when >> 16) - 1);
            return;
        }
    }
}

/* The block would have the message with another choice, and `other` has it now. direction: what the block would do with it. */
static void blame(message_check *check, uint32_t block, const hd_message_use *use, uint32_t other)
{
    const netlist_block *blamed = &check->work->blocks[block];
    const uint32_t parameter = (use->when >> 16) - 1;
    const span written = netlist_parameter_span(check->work, block, parameter);
    const hd_parameter *declared = &blamed->block_class->parameters[parameter];
    const uint32_t is_sent = use->direction == HD_MESSAGE_SENT;
    if (check->is_blamed[block][parameter])
        return;
    check->is_blamed[block][parameter] = 1;
    report_error(&check->state->log, ERROR_MESSAGE, written.line ? written : check->work->block_entries[block]->key->at,
                 "'%s' of block '%s' is %s, and block '%s' %s '%s', which '%s' %s only with %s", declared->name,
                 blamed->name, netlist_choice(declared, blamed->values[parameter].u, check->state->memory),
                 check->work->blocks[other].name, is_sent ? "takes" : "sends", use->name, blamed->name,
                 is_sent ? "sends" : "takes", choices_for(check, block, parameter, use->name, use->direction));
    note_reason(check, other, use->name);
}

/* The message is missed in that direction, between the block of `end`, which is the only one that could have it unless it forwards, and
 * `other`: is some choice to blame? */
static uint32_t is_choice_to_blame(message_check *check, netlist_end end, const char *message, uint32_t direction,
                                   uint32_t other)
{
    const uint32_t all = forwards(check, end);
    const uint32_t first = all ? 0 : end.block, last = all ? check->work->machine->block_count - 1 : end.block;
    for (uint32_t block = first; block <= last; block++) {
        const hd_message_use *use = block == other ? NULL : ruled_out(check, block, message, direction);
        if (!use)
            continue;
        blame(check, block, use, other);
        return 1;
    }
    return 0;
}

/* ---- Links ------------------------------------------------------------------------------------------------------------- */

static void report_refused(message_check *check, const netlist_link *link, uint32_t written, uint32_t message)
{
    span at = check->work->links[written].to.reference->at;
    const char *sender = block_at(check, link->from)->name;
    const char *name = check->messages.names[message];
    const netlist_block *receiver = block_at(check, link->to);
    if (is_choice_to_blame(check, link->to, name, HD_MESSAGE_RECEIVED, link->from.block))
        return;
    if (forwards(check, link->to))
        report_error(&check->state->log, ERROR_MESSAGE, at, "'%s' sends '%s', which nothing behind '%s' accepts",
                     sender, name, receiver->name);
    else
        report_error(&check->state->log, ERROR_MESSAGE, at, "'%s' sends '%s', which '%s.%s' does not accept", sender,
                     name, receiver->name, receiver->block_class->ports[link->to.port].name);
}

/* Another link of the same port leads to somebody who accepts it: who sends picks the link by the receiver. */
static int is_taken_elsewhere(const message_check *check, uint32_t index, uint32_t message, uint64_t *scratch)
{
    const netlist *machine = check->work->machine;
    const netlist_end from = machine->links[index].from;
    for (uint32_t i = 0; i < machine->link_count; i++) {
        const netlist_link *other = &machine->links[i];
        if (i == index || other->from.block != from.block || other->from.instance != from.instance ||
            other->from.port != from.port || other->is_memory || other->is_tap)
            continue;
        accepted(check, other, scratch);
        if (is_in(scratch, message))
            return 1;
    }
    return 0;
}

static int takes_any(const message_check *check, const uint64_t *sent, const uint64_t *taken)
{
    for (uint32_t i = 0; i < check->words; i++)
        if (sent[i] & taken[i])
            return 1;
    return 0;
}

static void check_sender(message_check *check, uint32_t index, uint64_t *sent, uint64_t *taken)
{
    const netlist_link *link = &check->work->machine->links[index];
    uint32_t written = check->work->link_origins[index];
    declared(check, link->from, HD_MESSAGE_SENT, sent);
    accepted(check, link, taken);
    const int is_of_use = takes_any(check, sent, taken);
    for (uint32_t m = 0; m < check->messages.count; m++) {
        if (!is_in(sent, m) || is_in(taken, m))
            continue;
        if (is_of_use && is_taken_elsewhere(check, index, m, check->scratch))
            continue;
        report_refused(check, link, written, m);
        check->is_told[written] = 1;
    }
}

/* Nothing of what the far end takes comes over the link. */
static uint32_t is_some_choice_to_blame(message_check *check, const netlist_link *link, const uint64_t *taken)
{
    for (uint32_t m = 0; m < check->messages.count; m++)
        if (is_in(taken, m) &&
            is_choice_to_blame(check, link->from, check->messages.names[m], HD_MESSAGE_SENT, link->to.block))
            return 1;
    return 0;
}

/* A link that leaves a forwarding block must be of some use. */
static void check_receiver(message_check *check, uint32_t index, uint64_t *coming, uint64_t *taken)
{
    const netlist_link *link = &check->work->machine->links[index];
    uint32_t written = check->work->link_origins[index];
    offered(check, link, coming);
    accepted(check, link, taken);
    int comes = 0, is_taken = 0;
    for (uint32_t i = 0; i < check->words; i++) {
        comes |= coming[i] != 0;
        is_taken |= (coming[i] & taken[i]) != 0;
    }
    if (!comes || is_taken)
        return;
    check->is_told[written] = 1;
    if (is_some_choice_to_blame(check, link, taken))
        return;
    report_error(&check->state->log, ERROR_MESSAGE, check->work->links[written].to.reference->at,
                 "'%s' of '%s' accepts nothing of what '%s' forwards",
                 block_at(check, link->to)->block_class->ports[link->to.port].name, block_at(check, link->to)->name,
                 block_at(check, link->from)->name);
}

static void create_blames(message_check *check)
{
    const uint32_t blocks = check->work->machine->block_count;
    check->is_blamed = arena_alloc(check->state->memory, blocks * sizeof *check->is_blamed + 1);
    for (uint32_t b = 0; b < blocks; b++)
        check->is_blamed[b] =
            arena_alloc(check->state->memory, check->work->blocks[b].block_class->parameter_count + 1);
}

static void collect_messages(message_check *check)
{
    for (uint32_t b = 0; b < check->work->machine->block_count; b++) {
        const hd_block_class *block_class = check->work->blocks[b].block_class;
        for (uint32_t i = 0; i < block_class->message_count; i++) {
            const char *name = block_class->messages[i].name;
            if (message_number(check, name) == check->messages.count)
                candidates_add(check->state->memory, &check->messages, name);
        }
    }
    check->words = check->messages.count / 64 + 1;
}

void netlist_check_messages(loader *state, draft *work)
{
    message_check check = {.state = state, .work = work};
    collect_messages(&check);
    size_t set_bytes = check.words * sizeof(uint64_t);
    check.entering = arena_alloc(state->memory, work->machine->endpoint_count * set_bytes + 1);
    check.leaving = arena_alloc(state->memory, work->machine->endpoint_count * set_bytes + 1);
    check.is_told = arena_alloc(state->memory, work->link_count + 1);
    check.scratch = arena_alloc(state->memory, set_bytes);
    create_blames(&check);
    uint64_t *one = arena_alloc(state->memory, set_bytes);
    uint64_t *other = arena_alloc(state->memory, set_bytes);
    spread(&check, one);
    for (uint32_t i = 0; i < work->machine->link_count; i++) {
        const netlist_link *link = &work->machine->links[i];
        if (link->is_memory || link->is_tap || check.is_told[work->link_origins[i]])
            continue;
        check_sender(&check, i, one, other);
        if (forwards(&check, link->from) && !check.is_told[work->link_origins[i]])
            check_receiver(&check, i, one, other);
    }
}
