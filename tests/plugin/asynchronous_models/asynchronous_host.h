// SPDX-License-Identifier: MIT
// A host whose program is elsewhere: it begins an access when somebody says so in real time, by async_request_update.
#ifndef ASYNCHRONOUS_HOST_H
#define ASYNCHRONOUS_HOST_H

#include <condition_variable>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "door.h"
#include "peer_message.h"

class asynchronous_host : public sc_core::sc_module
{
  public:
    SC_HAS_PROCESS(asynchronous_host);
    tlm_utils::simple_initiator_socket<asynchronous_host> bus;
    sc_core::sc_in<bool> timer_interrupt, external_interrupt;

    // stops: an access to the exit device is sc_stop instead.
    asynchronous_host(sc_core::sc_module_name name, bool stops);

  protected:
    // By the thread of whoever is outside; returns when simulation has carried it out, false: it is over and does not.
    bool access(peer_message &message);
    // Whoever waits there returns, and the next ones too.
    void leave();
    // The door to the process, for who has nothing more to say.
    door asked;
    std::mutex lock;
    std::condition_variable changed;
    bool is_over = false;

  private:
    const bool stops;
    peer_message *wanted = nullptr; // not carried out yet

    void serve();
    void carry_out();
};

#endif
