// SPDX-License-Identifier: MIT
// The mailbox server of the other plug-in behind a bus of 64 bits, whose socket may be bound several times.
#ifndef WIDE_SERVER_H
#define WIDE_SERVER_H

#include <tlm_utils/multi_passthrough_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "../foreign_models/mailbox_server.h"

class wide_server : public sc_core::sc_module
{
  public:
    tlm_utils::multi_passthrough_initiator_socket<wide_server, 64> socket;

    wide_server(sc_core::sc_module_name name, std::uint64_t mailbox, sc_core::sc_time period, bool is_untimed)
        : sc_module(name), socket("socket"), in("in"), server("server", mailbox, period, is_untimed)
    {
        in.register_b_transport(this, &wide_server::b_transport);
        in.register_transport_dbg(this, &wide_server::transport_dbg);
        server.socket.bind(in);
    }

  private:
    tlm_utils::simple_target_socket<wide_server> in;
    mailbox_server server;

    void b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
    {
        socket[0]->b_transport(payload, delay);
    }

    unsigned int transport_dbg(tlm::tlm_generic_payload &payload)
    {
        return socket[0]->transport_dbg(payload);
    }
};

#endif
