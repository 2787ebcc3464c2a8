/* SPDX-License-Identifier: MIT */
/* What the declarations of all networks have in common. */
#ifndef CROSSBAR_DECLARATION_H
#define CROSSBAR_DECLARATION_H

#include "hd_block.h"
#include "hd_message.h"
#include "hd_trace.h"

#define NETWORK_FLIT_BYTES                                                                                             \
    {                                                                                                                  \
        .name = "flit_bytes", .type = HD_TYPE_UNSIGNED, .unit = HD_UNIT_BYTES, .standard = "32 B", .minimum = 1,       \
        .maximum = 4096, .doc = "bytes that a port moves per cycle"                                                    \
    }

#define NETWORK_CHANNELS                                                                                               \
    {                                                                                                                  \
        .name = "virtual_channels", .type = HD_TYPE_UNSIGNED, .standard = "1", .minimum = 1, .maximum = 8,             \
        .doc = "classes of packets with separate buffers: channel = class mod this"                                    \
    }

#define NETWORK_CHANNEL_BY                                                                                             \
    {                                                                                                                  \
        .name = "channel_by", .type = HD_TYPE_CHOICE, .standard = "unit", .choices = "unit|class",                     \
        .doc = "the class: packet.unit, or traffic class; packets of one source to one output stay in order even so"   \
    }

#define NETWORK_PORTS(count)                                                                                           \
    {                                                                                                                  \
        [PORT_INPUT] = {.name = "input",                                                                               \
                        .direction = HD_PORT_RECEIVE,                                                                  \
                        .minimum_count = 1,                                                                            \
                        .maximum_count = count,                                                                        \
                        .latency_cycles = 1,                                                                           \
                        .credits = 8,                                                                                  \
                        .doc = "packets in; the link's credits are the depth of the input queue"},                     \
        [PORT_OUTPUT] = {.name = "output",                                                                             \
                         .direction = HD_PORT_SEND,                                                                    \
                         .minimum_count = 1,                                                                           \
                         .maximum_count = count,                                                                       \
                         .latency_cycles = 1,                                                                          \
                         .credits = 8,                                                                                 \
                         .doc = "packets out, by destination and unit"},                                               \
    }

/* Networks whose outputs are busy with one packet at a time show for how long, others when one passes. */
#define EVENT_PACKET 0u
#define NETWORK_EVENTS(form, text)                                                                                     \
    {                                                                                                                  \
        [EVENT_PACKET] = { "packet", form, 0, "source|destination|bytes", NULL, text }                                 \
    }

#define COUNT(id, text_name, text_unit, text) [id] = {text_name, text_unit, HD_STATISTIC_COUNT, 0, text}

/* What left, in packets or bytes: a statistic for each HD_CLASS_* from `first` on, and one for classes not named here. */
#define NETWORK_TRAFFIC(unit, first, other)                                                                            \
    HD_CLASSES(NETWORK_CLASS, unit, first)                                                                             \
    COUNT(other, unit ".other", unit, unit " of traffic classes not named here")
#define NETWORK_CLASS(class, name, what, unit, first) COUNT(first + class, unit "." name, unit, unit " of " what),

#endif
