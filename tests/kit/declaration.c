/* SPDX-License-Identifier: MIT */
#include "kit_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct findings {
    const hd_block_class *block_class;
    uint32_t count;
} findings;

static void find(findings *findings, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void find(findings *findings, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "conformance of %s/%s: ", findings->block_class->kind, findings->block_class->type);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    findings->count++;
}

static uint32_t is_text(const char *text)
{
    return text && text[0];
}

static void check_class(findings *found)
{
    const hd_block_class *block_class = found->block_class;
    if (block_class->abi_version != HD_ABI_VERSION || block_class->struct_bytes != sizeof *block_class)
        find(found, "abi_version or struct_bytes is not that of this interface");
    if (!is_text(block_class->doc) || !is_text(block_class->source))
        find(found, "doc or source is empty");
    if (!block_class->create || !block_class->connect || !block_class->reset || !block_class->advance ||
        !block_class->counters || !block_class->destroy)
        find(found, "create, connect, reset, advance, counters or destroy is missing");
}

static void check_parameter(findings *found, uint32_t index)
{
    const hd_parameter *parameter = &found->block_class->parameters[index];
    hd_value value;
    if (!is_text(parameter->name) || !is_text(parameter->doc))
        find(found, "parameter %u has no name or no doc", index);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(found->block_class->parameters[i].name, parameter->name) == 0)
            find(found, "two parameters are called %s", parameter->name);
    if (parameter->type != HD_TYPE_UNSIGNED && parameter->unit != HD_UNITLESS)
        find(found, "parameter %s has a unit and is not a number", parameter->name);
    if (parameter->maximum && parameter->maximum < parameter->minimum)
        find(found, "parameter %s: maximum is below minimum", parameter->name);
    if (parameter->type == HD_TYPE_CHOICE && !is_text(parameter->choices))
        find(found, "parameter %s has no choices", parameter->name);
    const char *wrong = parameter->standard ? kit_parse_value(parameter, parameter->standard, &value) : NULL;
    if (wrong)
        find(found, "parameter %s: default '%s' %s", parameter->name, parameter->standard, wrong);
}

static void check_port(findings *found, uint32_t index)
{
    const hd_port *port = &found->block_class->ports[index];
    if (!is_text(port->name) || !is_text(port->doc))
        find(found, "port %u has no name or no doc", index);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(found->block_class->ports[i].name, port->name) == 0)
            find(found, "two ports are called %s", port->name);
    if (port->direction < HD_PORT_SEND || port->direction > HD_PORT_TARGET)
        find(found, "port %s has no direction", port->name);
    if (port->maximum_count < 1 || port->maximum_count < port->minimum_count)
        find(found, "port %s: maximum_count is 0 or below minimum_count", port->name);
    if (port->direction != HD_PORT_RECEIVE && port->latency_cycles < 1)
        find(found, "port %s: latency of 0 cycles", port->name);
    if (port->direction != HD_PORT_SEND && port->credits < 1)
        find(found, "port %s: no credits", port->name);
}

static void check_statistic(findings *found, uint32_t index)
{
    const hd_statistic *statistic = &found->block_class->statistics[index];
    if (!is_text(statistic->name) || !is_text(statistic->unit) || !is_text(statistic->doc))
        find(found, "statistic %u has no name, unit or doc", index);
    for (uint32_t i = 0; i < index; i++)
        if (strcmp(found->block_class->statistics[i].name, statistic->name) == 0)
            find(found, "two statistics are called %s", statistic->name);
    if (statistic->kind != HD_STATISTIC_COUNT && statistic->kind != HD_STATISTIC_MAXIMUM)
        find(found, "statistic %s has no kind", statistic->name);
}

static uint32_t direction_fits(const hd_message_use *use, const hd_port *port)
{
    if (port->direction >= HD_PORT_INITIATOR)
        return 1;
    return use->direction == (port->direction == HD_PORT_SEND ? HD_MESSAGE_SENT : HD_MESSAGE_RECEIVED);
}

static void check_message(findings *found, uint32_t index)
{
    const hd_message_use *use = &found->block_class->messages[index];
    const char *version = is_text(use->name) ? strrchr(use->name, '/') : NULL;
    if (!version || version[1] < '0' || version[1] > '9')
        find(found, "message %u does not end in a version", index);
    for (uint32_t i = 0; i < found->block_class->port_count; i++) {
        const hd_port *port = &found->block_class->ports[i];
        if (!use->port || strcmp(port->name, use->port) != 0)
            continue;
        if (!direction_fits(use, port))
            find(found, "message %s goes the wrong way through port %s", use->name, port->name);
        return;
    }
    find(found, "message %s names port %s, which is not declared", use->name ? use->name : "",
         use->port ? use->port : "");
}

uint32_t kit_check_declaration(const hd_block_class *block_class)
{
    findings found = {.block_class = block_class};
    if (!is_text(block_class->kind) || !is_text(block_class->type))
        find(&found, "kind or type is empty");
    check_class(&found);
    for (uint32_t i = 0; i < block_class->parameter_count; i++)
        check_parameter(&found, i);
    for (uint32_t i = 0; i < block_class->port_count; i++)
        check_port(&found, i);
    for (uint32_t i = 0; i < block_class->statistic_count; i++)
        check_statistic(&found, i);
    for (uint32_t i = 0; i < block_class->message_count; i++)
        check_message(&found, i);
    return found.count;
}
