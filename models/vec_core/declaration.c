/* SPDX-License-Identifier: MIT */
#include "state.h"

const hd_parameter vec_core_parameters[PARAMETER_COUNT] = {VEC_CORE_PARAMETERS(HD_PARAMETER_ROW)};

const hd_statistic vec_core_statistics[] = {VEC_CORE_STATISTICS(HD_STATISTIC_ROW)};

const hd_port vec_core_ports[PORT_COUNT] = {
    [PORT_COMMANDS] = {.name = "commands",
                       .direction = HD_PORT_RECEIVE,
                       .minimum_count = 1,
                       .maximum_count = 1,
                       .latency_cycles = 1,
                       .credits = 16,
                       .doc = "what the operating system wants"},
    [PORT_EVENTS] = {.name = "events",
                     .direction = HD_PORT_SEND,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 20,
                     .credits = 16,
                     .doc = "what becomes of the thread"},
    [PORT_MEMORY] = {.name = "memory",
                     .direction = HD_PORT_INITIATOR,
                     .minimum_count = 1,
                     .maximum_count = 1,
                     .latency_cycles = 20,
                     .credits = 64,
                     .doc = "lines that are fetched, and stores"},
};

const hd_message_use vec_core_messages[MESSAGE_COUNT + 1] = {
    {HD_CORE_VECTOR, HD_MESSAGE_SENT, 0, "events"},         {HD_THREAD_RUN, HD_MESSAGE_RECEIVED, 0, "commands"},
    {HD_THREAD_VECTOR, HD_MESSAGE_RECEIVED, 0, "commands"}, {HD_THREAD_VECTOR, HD_MESSAGE_SENT, 0, "events"},
    {HD_THREAD_STOPPED, HD_MESSAGE_SENT, 0, "events"},      {HD_THREAD_MOVE, HD_MESSAGE_RECEIVED, 0, "commands"},
    {HD_THREAD_REFUSED, HD_MESSAGE_SENT, 0, "events"},      {HD_THREAD_CALL, HD_MESSAGE_SENT, 0, "events"},
    {HD_THREAD_RETURN, HD_MESSAGE_RECEIVED, 0, "commands"}, {HD_THREAD_TRAP, HD_MESSAGE_SENT, 0, "events"},
    {HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "memory"},         {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "memory"},
    {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "memory"},
};
