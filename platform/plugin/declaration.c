/* SPDX-License-Identifier: MIT */
#include "declaration.h"

#include <string.h>

#include "declaration_check.h"
#include "hd_host.h"
#include "hd_message.h"
#include "text_value.h"

#define GROUP_TYPE ".type" /* in a netlist: the parameter of the mapping's own name */

/* ---- The class ---------------------------------------------------------------------------------------------------- */

static void check_functions(declaration_check *at)
{
    const hd_block_class *block_class = at->block_class;
    if (at->foreign) {
        if (block_class->create || block_class->connect || block_class->reset || block_class->advance ||
            block_class->promise || block_class->check || block_class->counters || block_class->debug_access ||
            block_class->destroy)
            declaration_find(at, "the class of a SystemC model has a function; all of them must be NULL");
        return;
    }
    if (!block_class->create || !block_class->connect || !block_class->reset || !block_class->advance ||
        !block_class->counters || !block_class->destroy)
        declaration_find(at, "create, connect, reset, advance, counters or destroy is missing");
}

static void check_class(declaration_check *at)
{
    const hd_block_class *block_class = at->block_class;
    if (!declaration_is_text(block_class->kind) || !declaration_is_text(block_class->type))
        declaration_find(at, "kind or type is empty");
    if (!declaration_is_text(block_class->doc) || !declaration_is_text(block_class->source))
        declaration_find(at, "doc or source is empty");
    if ((declaration_is_text(block_class->kind) &&
         declaration_name_bytes(block_class->kind, "") < strlen(block_class->kind)) ||
        (declaration_is_text(block_class->type) &&
         declaration_name_bytes(block_class->type, "") < strlen(block_class->type)))
        declaration_find(at, "kind or type is not made of letters, digits and '_'");
    declaration_check_line(at, block_class->doc, "doc");
    declaration_check_line(at, block_class->source, "source");
    if (block_class->flags & ~(HD_BLOCK_FORWARDS | HD_BLOCK_ADDRESS_MAP | HD_BLOCK_DIRECT | HD_BLOCK_LOOKS_AHEAD |
                               HD_BLOCK_SELF_DRIVEN | HD_BLOCK_DECODES))
        declaration_find(at, "flags has bits that have no meaning");
    check_functions(at);
}

/* Can the tables be read at all? */
static uint32_t has_tables(declaration_check *at)
{
    const hd_block_class *block_class = at->block_class;
    const struct {
        const char *name;
        uint32_t count;
        const void *table;
    } tables[] = {
        {"parameters", block_class->parameter_count, block_class->parameters},
        {"ports", block_class->port_count, block_class->ports},
        {"statistics", block_class->statistic_count, block_class->statistics},
        {"messages", block_class->message_count, block_class->messages},
        {"windows", block_class->window_count, block_class->windows},
        {"trace events", block_class->trace_event_count, block_class->trace_events},
    };
    uint32_t before = at->count;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (tables[i].count && !tables[i].table)
            declaration_find(at, "%u %s are declared, and the table is NULL", tables[i].count, tables[i].name);
    return at->count == before;
}

/* ---- Parameters --------------------------------------------------------------------------------------------------- */

static const char *wrong_number(const hd_parameter *parameter)
{
    uint64_t value;
    switch (text_to_unsigned(parameter->standard, parameter->unit, &value)) {
    case TEXT_OK: break;
    case TEXT_NOT_A_NUMBER: return "is not a number";
    case TEXT_UNIT_MISSING: return "has no unit";
    case TEXT_UNIT_UNKNOWN: return "has the wrong unit";
    case TEXT_UNIT_UNWANTED: return "has a unit and takes none";
    default: return "is no whole number below 2^64";
    }
    if (value < parameter->minimum || (parameter->maximum && value > parameter->maximum))
        return "is out of range";
    return NULL;
}

/* What is wrong with the default, or NULL. */
static const char *wrong_standard(const hd_parameter *parameter)
{
    uint64_t number;
    double real;
    switch (parameter->type) {
    case HD_TYPE_UNSIGNED: return wrong_number(parameter);
    case HD_TYPE_BOOLEAN: return text_to_boolean(parameter->standard, &number) ? NULL : "is neither true nor false";
    case HD_TYPE_CHOICE:
        return declaration_is_text(parameter->choices) &&
                       choice_index(parameter->choices, parameter->standard) != UINT32_MAX
                   ? NULL
                   : "is none of its choices";
    case HD_TYPE_REAL: return text_to_real(parameter->standard, &real) ? NULL : "is not a number";
    default: return NULL;
    }
}

static uint32_t has_lines(declaration_check *at, const hd_parameter *parameter)
{
    uint32_t before = at->count;
    declaration_check_line(at, parameter->doc, "the doc of a parameter");
    declaration_check_line(at, parameter->standard, "the default of a parameter");
    declaration_check_line(at, parameter->choices, "the list of choices of a parameter");
    return at->count == before;
}

static void check_parameter(declaration_check *at, uint32_t index)
{
    const hd_parameter *parameter = &at->block_class->parameters[index];
    if (!declaration_is_text(parameter->name) || !declaration_is_text(parameter->doc)) {
        declaration_find(at, "parameter %u has no name or no doc", index);
        return;
    }
    if (!declaration_check_name(at, parameter->name, ".", "parameter", index))
        return;
    if (!has_lines(at, parameter))
        return;
    size_t length = strlen(parameter->name);
    if (length > strlen(GROUP_TYPE) && !strcmp(parameter->name + length - strlen(GROUP_TYPE), GROUP_TYPE))
        declaration_find(at, "parameter %s: a netlist reads it as the one without '" GROUP_TYPE "'", parameter->name);
    declaration_check_once(at, at->block_class->parameters, sizeof *parameter, index, "parameters");
    if (parameter->type < HD_TYPE_UNSIGNED || parameter->type > HD_TYPE_REAL || parameter->unit > HD_UNIT_HERTZ) {
        declaration_find(at, "parameter %s has a type or unit that does not exist", parameter->name);
        return;
    }
    if (parameter->type != HD_TYPE_UNSIGNED && parameter->unit != HD_UNITLESS)
        declaration_find(at, "parameter %s has a unit and is not a number", parameter->name);
    if (parameter->maximum && parameter->maximum < parameter->minimum)
        declaration_find(at, "parameter %s: maximum is below minimum", parameter->name);
    if (parameter->type == HD_TYPE_CHOICE && !declaration_is_text(parameter->choices))
        declaration_find(at, "parameter %s has no choices", parameter->name);
    const char *wrong = parameter->standard ? wrong_standard(parameter) : NULL;
    if (wrong)
        declaration_find(at, "parameter %s: default '%s' %s", parameter->name, parameter->standard, wrong);
}

/* ---- Ports, statistics, messages ---------------------------------------------------------------------------------- */

/* A level that a SystemC model gets or gives as a signal; what it gives may also be an event for each rise. */
static uint32_t is_interrupt_line(const hd_block_class *block_class, const hd_port *port)
{
    uint32_t uses = 0;
    for (uint32_t i = 0; i < block_class->message_count; i++) {
        const hd_message_use *use = &block_class->messages[i];
        if (!declaration_is_text(use->port) || strcmp(use->port, port->name))
            continue;
        const uint32_t is_event =
            port->direction == HD_PORT_SEND && declaration_is_text(use->name) && !strcmp(use->name, HD_INTERRUPT);
        if (!is_event && (!declaration_is_text(use->name) || strcmp(use->name, HD_INTERRUPT_LEVEL)))
            return 0;
        uses++;
    }
    return uses == 1 && (port->direction == HD_PORT_RECEIVE || port->direction == HD_PORT_SEND);
}

static void check_port(declaration_check *at, uint32_t index)
{
    const hd_port *port = &at->block_class->ports[index];
    if (!declaration_is_text(port->name) || !declaration_is_text(port->doc)) {
        declaration_find(at, "port %u has no name or no doc", index);
        return;
    }
    if (!declaration_check_name(at, port->name, "", "port", index))
        return;
    declaration_check_line(at, port->doc, "the doc of a port");
    declaration_check_once(at, at->block_class->ports, sizeof *port, index, "ports");
    if (port->direction < HD_PORT_SEND || port->direction > HD_PORT_TAP)
        declaration_find(at, "port %s has no direction", port->name);
    const uint32_t is_tap = port->direction == HD_PORT_TAPPED || port->direction == HD_PORT_TAP;
    if (at->foreign && (is_tap || port->direction < HD_PORT_INITIATOR) && !is_interrupt_line(at->block_class, port))
        declaration_find(at, "port %s of a SystemC model is not of the memory protocol, and no interrupt line",
                         port->name);
    if (port->maximum_count < 1 || port->maximum_count < port->minimum_count)
        declaration_find(at, "port %s: maximum_count is 0 or below minimum_count", port->name);
    if (is_tap && (port->latency_cycles || port->credits))
        declaration_find(at, "port %s: a tap with a latency or credits", port->name);
    if (!is_tap && port->direction != HD_PORT_RECEIVE && port->latency_cycles < 1)
        declaration_find(at, "port %s: latency of 0 cycles", port->name);
    if (!is_tap && port->direction != HD_PORT_SEND && port->credits < 1)
        declaration_find(at, "port %s: no credits", port->name);
}

static void check_statistic(declaration_check *at, uint32_t index)
{
    const hd_statistic *statistic = &at->block_class->statistics[index];
    if (!declaration_is_text(statistic->name) || !declaration_is_text(statistic->unit) ||
        !declaration_is_text(statistic->doc)) {
        declaration_find(at, "statistic %u has no name, unit or doc", index);
        return;
    }
    if (!declaration_check_name(at, statistic->name, ".", "statistic", index))
        return;
    declaration_check_line(at, statistic->unit, "the unit of a statistic");
    declaration_check_line(at, statistic->doc, "the doc of a statistic");
    declaration_check_once(at, at->block_class->statistics, sizeof *statistic, index, "statistics");
    if (statistic->kind != HD_STATISTIC_COUNT && statistic->kind != HD_STATISTIC_MAXIMUM)
        declaration_find(at, "statistic %s has no kind", statistic->name);
    const uint32_t parameter = statistic->when >> 16, other = statistic->when & 0xFFFFu;
    if (statistic->when && statistic->when != HD_STATISTIC_SELDOM &&
        (parameter - 1 >= at->block_class->parameter_count || other - 1 >= at->block_class->parameter_count))
        declaration_find(at, "statistic %s depends on a parameter that is not declared", statistic->name);
}

static uint32_t direction_fits(const hd_message_use *use, const hd_port *port)
{
    if (port->direction >= HD_PORT_INITIATOR)
        return port->direction <= HD_PORT_TARGET;
    return use->direction == (port->direction == HD_PORT_SEND ? HD_MESSAGE_SENT : HD_MESSAGE_RECEIVED);
}

static uint32_t is_message_name(const char *text)
{
    size_t length = text ? declaration_name_bytes(text, ".") : 0;
    if (!length || length > HD_NAME_MAX || text[length] != '/')
        return 0;
    size_t digits = strspn(text + length + 1, "0123456789");
    return digits && digits < 10 && !text[length + 1 + digits];
}

static void check_message(declaration_check *at, uint32_t index)
{
    const hd_message_use *use = &at->block_class->messages[index];
    if (!is_message_name(use->name)) {
        declaration_find(at, "message %u does not have a name that ends in a version, as \"global.load/1\" does",
                         index);
        return;
    }
    if (use->direction != HD_MESSAGE_SENT && use->direction != HD_MESSAGE_RECEIVED)
        declaration_find(at, "message %s has no direction", use->name);
    if (use->when && ((use->when >> 16) - 1 >= at->block_class->parameter_count ||
                      at->block_class->parameters[(use->when >> 16) - 1].type != HD_TYPE_CHOICE))
        declaration_find(at, "message %s depends on a parameter that is no choice", use->name);
    for (uint32_t i = 0; i < at->block_class->port_count; i++) {
        const hd_port *port = &at->block_class->ports[i];
        if (!use->port || !port->name || strcmp(port->name, use->port) != 0)
            continue;
        if (!direction_fits(use, port))
            declaration_find(at, "message %s goes the wrong way through port %s", use->name, port->name);
        return;
    }
    declaration_find(at, "message %s names port %s, which is not declared", use->name, use->port ? use->port : "''");
}

/* ---- Windows ------------------------------------------------------------------------------------------------------- */

static uint32_t is_target_port(const hd_block_class *block_class, const char *name)
{
    for (uint32_t i = 0; i < block_class->port_count; i++)
        if (declaration_is_text(block_class->ports[i].name) && strcmp(block_class->ports[i].name, name) == 0)
            return block_class->ports[i].direction == HD_PORT_TARGET;
    return 0;
}

static uint32_t is_number(const hd_block_class *block_class, const char *name)
{
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        if (declaration_is_text(block_class->parameters[i].name) && strcmp(block_class->parameters[i].name, name) == 0)
            return block_class->parameters[i].type == HD_TYPE_UNSIGNED;
    return 0;
}

static void check_window(declaration_check *at, uint32_t index)
{
    const hd_window *window = &at->block_class->windows[index];
    if (!declaration_is_text(window->name) || !declaration_is_text(window->doc)) {
        declaration_find(at, "window %u has no name or no doc", index);
        return;
    }
    if (!declaration_is_line(window->name)) {
        declaration_find(at, "the name of window %u is not one line of UTF-8 text", index);
        return;
    }
    declaration_check_line(at, window->doc, "the doc of a window");
    if (!window->bytes)
        declaration_find(at, "window %s has no bytes", window->name);
    if (window->flags & ~HD_WINDOW_SHARED)
        declaration_find(at, "window %s has flags that have no meaning", window->name);
    if (window->port && !is_target_port(at->block_class, window->port))
        declaration_find(at, "window %s names port %s, which is no memory target", window->name, window->port);
    if (window->parameter && !is_number(at->block_class, window->parameter))
        declaration_find(at, "window %s names parameter %s, which is no number", window->name, window->parameter);
    if (window->base_parameter && !is_number(at->block_class, window->base_parameter))
        declaration_find(at, "window %s names parameter %s, which is no number", window->name, window->base_parameter);
}

uint32_t hd_check_declaration(const hd_block_class *block_class, uint32_t foreign, hd_declaration_finding *find_one,
                              void *context)
{
    declaration_check at = {.block_class = block_class, .foreign = foreign, .find = find_one, .context = context};
    check_class(&at);
    if (!has_tables(&at))
        return at.count;
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        check_parameter(&at, i);
    for (uint32_t i = 0; i < block_class->port_count; i++)
        check_port(&at, i);
    for (uint32_t i = 0; i < block_class->statistic_count; i++)
        check_statistic(&at, i);
    for (uint32_t i = 0; i < block_class->message_count; i++)
        check_message(&at, i);
    for (uint32_t i = 0; i < block_class->window_count; i++)
        check_window(&at, i);
    declaration_check_trace_events(&at);
    declaration_check_energy(&at);
    if (foreign && block_class->statistic_count)
        declaration_find(&at, "a SystemC model declares statistics, which nobody would count");
    return at.count;
}
