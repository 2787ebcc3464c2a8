// SPDX-License-Identifier: MIT
#include "awkward_memory.h"

#include <algorithm>
#include <cstring>
#include <fstream>

awkward_memory::awkward_memory(sc_core::sc_module_name name, const settings &how) : sc_module(name), how(how)
{
    if (how.tick != sc_core::SC_ZERO_TIME)
        SC_THREAD(count);
    SC_METHOD(act);
    sensitive << again;
    dont_initialize();
    if (how.does != "nothing")
        again.notify(how.at);
}

awkward_memory::~awkward_memory()
{
    if (!how.database.empty())
        std::ofstream(how.database, std::ios::app) << name() << " is destroyed\n";
}

void awkward_memory::count()
{
    for (;;)
        sc_core::wait(how.tick);
}

void awkward_memory::act()
{
    if (how.does == "loop")
        again.notify(sc_core::SC_ZERO_TIME);
    else if (how.does == "stop")
        sc_core::sc_stop();
    else if (how.does == "info")
        SC_REPORT_INFO("awkward_memory", "page 7 is open");
    else if (how.does == "warning")
        SC_REPORT_WARNING("awkward_memory", "page 7 is slow");
    else if (how.does == "error")
        SC_REPORT_ERROR("awkward_memory", "page 7 is lost");
    else
        report_without_throwing();
}

void awkward_memory::report_without_throwing()
{
    sc_core::sc_report_handler::set_actions("awkward_memory", sc_core::SC_ERROR, sc_core::SC_DISPLAY);
    SC_REPORT_ERROR("awkward_memory", "page 7 is lost");
}

void awkward_memory::b_transport(tlm::tlm_generic_payload &payload, sc_core::sc_time &delay)
{
    requests++;
    highest = std::max<std::uint64_t>(highest, payload.get_address());
    if (how.answers && requests > how.answers)
        sc_core::wait(never);
    pages.access(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_core::sc_time(100, sc_core::SC_NS);
}

bool awkward_memory::get_direct_mem_ptr(tlm::tlm_generic_payload &payload, tlm::tlm_dmi &region)
{
    std::uint64_t bytes;
    region.set_dmi_ptr(pages.page_of(payload.get_address(), bytes));
    region.set_start_address(payload.get_address() / bytes * bytes);
    region.set_end_address(region.get_start_address() + bytes - 1);
    region.allow_read_write();
    return true;
}

unsigned int awkward_memory::transport_dbg(tlm::tlm_generic_payload &payload)
{
    const unsigned int bytes = pages.access(payload);
    if (how.debug == "zeros" && payload.is_read())
        std::memset(payload.get_data_ptr(), 0, bytes);
    return bytes;
}

void awkward_memory::end_of_simulation()
{
    if (!how.database.empty())
        std::ofstream(how.database, std::ios::app) << name() << ' ' << requests << " highest " << highest << '\n';
    if (how.complains)
        SC_REPORT_ERROR("awkward_memory", "the database is full");
}

sc_core::sc_object *awkward_memory::usual_socket()
{
    socket = std::make_unique<tlm_utils::simple_target_socket<awkward_memory>>("socket");
    socket->register_b_transport(this, &awkward_memory::b_transport);
    if (how.debug == "right" || how.debug == "zeros")
        socket->register_transport_dbg(this, &awkward_memory::transport_dbg);
    if (how.debug == "pointer")
        socket->register_get_direct_mem_ptr(this, &awkward_memory::get_direct_mem_ptr);
    return socket.get();
}

template <class Socket>
sc_core::sc_object *awkward_memory::with_callbacks(std::unique_ptr<Socket> &made, const char *name)
{
    made = std::make_unique<Socket>(name);
    made->register_b_transport(this, &awkward_memory::b_transport);
    made->register_transport_dbg(this, &awkward_memory::transport_dbg);
    return made.get();
}

// It answers at once: the request and its response are one call.
tlm::tlm_sync_enum awkward_memory::numbered_nb_transport(int, tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase,
                                                         sc_core::sc_time &delay)
{
    if (phase == tlm::BEGIN_REQ)
        b_transport(payload, delay);
    return tlm::TLM_COMPLETED;
}

unsigned int awkward_memory::numbered_transport_dbg(int, tlm::tlm_generic_payload &payload)
{
    return transport_dbg(payload);
}

template <class Socket>
sc_core::sc_object *awkward_memory::with_numbered_callbacks(std::unique_ptr<Socket> &made, const char *name)
{
    if (made) // of several links it is the same
        return made.get();
    made = std::make_unique<Socket>(name);
    made->register_nb_transport_fw(this, &awkward_memory::numbered_nb_transport);
    made->register_transport_dbg(this, &awkward_memory::numbered_transport_dbg);
    return made.get();
}

sc_core::sc_object *awkward_memory::other_socket(const std::string &kind)
{
    if (kind == "wide")
        return with_callbacks(wide, "wide");
    if (kind == "multi")
        return with_numbered_callbacks(multi, "multi");
    if (kind == "wide_multi")
        return with_numbered_callbacks(wide_multi, "wide_multi");
    if (kind == "initiator")
        return (reversed = std::make_unique<tlm_utils::simple_initiator_socket<awkward_memory>>("reversed")).get();
    if (kind == "signal")
        return (line = std::make_unique<sc_core::sc_in<bool>>("line")).get();
    return nullptr;
}
