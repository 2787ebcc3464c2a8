// SPDX-License-Identifier: MIT
#include "asynchronous_host.h"

#include "hd_host.h"

asynchronous_host::asynchronous_host(sc_core::sc_module_name name, bool stops)
    : sc_module(name), bus("bus"), timer_interrupt("timer_interrupt"), external_interrupt("external_interrupt"),
      asked(false), stops(stops)
{
    SC_THREAD(serve);
}

bool asynchronous_host::access(peer_message &message)
{
    std::unique_lock<std::mutex> guard(lock);
    wanted = &message;
    asked.put(message.tag);
    changed.wait(guard, [this] { return is_over || !wanted; });
    wanted = nullptr;
    return !is_over;
}

void asynchronous_host::leave()
{
    {
        std::lock_guard<std::mutex> guard(lock);
        is_over = true;
    }
    changed.notify_all();
}

void asynchronous_host::serve()
{
    std::uint64_t tag;
    for (;;) {
        if (!asked.failure().empty())
            SC_REPORT_ERROR("asynchronous_host", asked.failure().c_str());
        while (asked.take(tag))
            carry_out();
        sc_core::wait(asked.opened);
    }
}

// The one who has asked does nothing else meanwhile.
void asynchronous_host::carry_out()
{
    tlm::tlm_generic_payload payload;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (stops && wanted->address == HD_HOST_EXIT_BASE) {
        sc_core::sc_stop();
        return;
    }
    payload.set_command(wanted->is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(wanted->address);
    payload.set_data_ptr(wanted->data);
    payload.set_data_length(wanted->bytes);
    payload.set_streaming_width(wanted->bytes);
    bus->b_transport(payload, delay);
    sc_core::wait(delay);
    if (payload.is_response_error())
        SC_REPORT_ERROR("asynchronous_host", payload.get_response_string().c_str());
    {
        std::lock_guard<std::mutex> guard(lock);
        wanted = nullptr;
    }
    changed.notify_all();
}
