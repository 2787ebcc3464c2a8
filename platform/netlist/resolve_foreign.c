/* SPDX-License-Identifier: MIT */
/* What a link to or from a SystemC model is told of the model: what it understands by an address, what it does not know, and how long
 * threads of its own may take. */
#include "loader.h"

#include <string.h>

/* The first choice is what holds if nothing is said. */
static const struct {
    const char *key, *usual, *other;
} options[] = {[NETLIST_ADDRESS] = {"address", "machine", "channel"},
               [NETLIST_EARLY_COMPLETION] = {"early_completion", "true", "false"},
               [NETLIST_DEBUG] = {"debug", "required", "absent"}};
#define OPTIONS (sizeof options / sizeof *options)

const char *const netlist_within_keys[NETLIST_WITHINS] = {
    [NETLIST_ANSWERS] = "answers_within", [NETLIST_BEGINS] = "begins_within"};
#define WITHIN_MIN (HD_PS_PER_SECOND / 1000)
#define WITHIN_MAX (HD_PS_PER_SECOND * 86400)

const char *netlist_option_text(uint32_t option, const char **value)
{
    *value = options[option].other;
    return options[option].key;
}

static uint32_t is_foreign(const draft *work, const link_side *side)
{
    return !work->blocks[side->block].block_class->create;
}

static uint32_t check_model(loader *state, const draft *work, const written_link *link, const entry *found)
{
    const hd_port *from = &work->blocks[link->from.block].block_class->ports[link->from.port];
    if (from->direction == HD_PORT_INITIATOR && (is_foreign(work, &link->from) || is_foreign(work, &link->to)))
        return 1;
    report_error(&state->log, ERROR_DIRECTION, found->key->at,
                 "%s on a link that is not of the memory protocol, with a SystemC model at one end", found->key->text);
    return 0;
}

/* Whoever serves the other end of a link is the one whose addresses, data and answers they are. */
static uint32_t check_served(loader *state, const draft *work, const written_link *link, const entry *found)
{
    const uint32_t is_served = is_foreign(work, &link->to);
    if (!is_served)
        report_error(&state->log, ERROR_DIRECTION, found->key->at, "%s on a link whose target is no SystemC model",
                     found->key->text);
    return is_served;
}

static void check_choice(loader *state, const draft *work, const written_link *link, uint32_t option,
                         const entry *found)
{
    if (option == NETLIST_EARLY_COMPLETION || !check_served(state, work, link, found))
        return;
    if (option == NETLIST_ADDRESS && work->machine->address_map.block == NETLIST_NONE)
        report_error(&state->log, ERROR_ADDRESS_MAP, found->value->at,
                     "address is that of a channel, and the machine has no address map that makes channels");
}

static void read_option(loader *state, const draft *work, written_link *link, uint32_t option)
{
    const entry *found = netlist_entry(link->source, options[option].key);
    if (!found)
        return;
    if (!strcmp(found->value->text, options[option].other))
        link->options |= 1u << option;
    else if (strcmp(found->value->text, options[option].usual))
        report_error(&state->log, ERROR_NOT_A_CHOICE, found->value->at, "%s must be %s or %s, not '%s'",
                     options[option].key, options[option].usual, options[option].other, found->value->text);
    check_model(state, work, link, found);
    if (link->options & 1u << option)
        check_choice(state, work, link, option, found);
}

/* It begins transactions, or drives an interrupt line. */
static void check_beginner(loader *state, const draft *work, const written_link *link, const entry *found)
{
    if (!is_foreign(work, &link->from))
        report_error(&state->log, ERROR_DIRECTION, found->key->at, "%s on a link whose source is no SystemC model",
                     found->key->text);
}

static void read_within(loader *state, const draft *work, written_link *link, uint32_t which)
{
    const char *key = netlist_within_keys[which];
    const entry *found = netlist_entry(link->source, key);
    if (!found ||
        !netlist_read_unsigned(state, found->value, key, HD_UNIT_SECONDS, WITHIN_MIN, WITHIN_MAX, &link->within[which]))
        return;
    if (which == NETLIST_BEGINS)
        check_beginner(state, work, link, found);
    else if (check_model(state, work, link, found))
        check_served(state, work, link, found);
}

void netlist_value_options(loader *state, draft *work)
{
    for (uint32_t i = 0; i < work->link_count; i++) {
        for (uint32_t option = 0; option < OPTIONS; option++)
            read_option(state, work, &work->links[i], option);
        for (uint32_t which = 0; which < NETLIST_WITHINS; which++)
            read_within(state, work, &work->links[i], which);
    }
}
