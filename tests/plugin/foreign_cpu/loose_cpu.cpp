// SPDX-License-Identifier: MIT
#include "loose_cpu.h"

#include <cstring>

loose_cpu::loose_cpu(sc_core::sc_module_name name, const settings &how)
    : sc_module(name), bus("bus"), timer_interrupt("timer_interrupt"), external_interrupt("external_interrupt"),
      how(how), time(how.quantum)
{
    bus.bind(*this);
    SC_THREAD(run);
}

void loose_cpu::run()
{
    time.reset();
    if (how.quantum == sc_core::SC_ZERO_TIME)
        SC_REPORT_WARNING("loose_cpu", "without a quantum it never runs ahead");
    program();
    synchronize();
}

// ---- Time ---------------------------------------------------------------------------------------------------------------

void loose_cpu::synchronize()
{
    syncs++;
    time.sync();
}

void loose_cpu::compute(unsigned int cycles)
{
    time.inc(how.cycle * cycles);
    if (time.need_sync())
        synchronize();
}

void loose_cpu::wait_for_interrupt()
{
    synchronize(); // what the line is depends on the time
    while (!external_interrupt.read())
        sc_core::wait(external_interrupt.posedge_event());
    time.reset();
}

// ---- Accesses -----------------------------------------------------------------------------------------------------------

// By pointer, if whoever holds the bytes allows it. Refused ranges are not asked for again.
bool loose_cpu::access_directly(tlm::tlm_generic_payload &payload)
{
    tlm::tlm_dmi region;
    const sc_dt::uint64 address = payload.get_address();
    if (is_denied && address >= first_denied && address <= last_denied)
        return false;
    direct_requests++;
    if (bus->get_direct_mem_ptr(payload, region))
        SC_REPORT_ERROR("loose_cpu", "direct access was granted where every access takes time");
    is_denied = true;
    first_denied = region.get_start_address();
    last_denied = region.get_end_address();
    return false;
}

void loose_cpu::transport_blocking(tlm::tlm_generic_payload &payload)
{
    sc_core::sc_time delay = time.get_local_time();
    bus->b_transport(payload, delay);
    time.set(delay);
}

// Four phases, or fewer: the annotated delay is how far the CPU is ahead.
void loose_cpu::transport_in_phases(tlm::tlm_generic_payload &payload)
{
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = time.get_local_time();
    const tlm::tlm_sync_enum answer = bus->nb_transport_fw(payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
        time.set(delay);
        return;
    }
    if (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
        sc_core::wait(delay);
        phase = tlm::END_RESP;
        delay = sc_core::SC_ZERO_TIME;
        bus->nb_transport_fw(payload, phase, delay);
    } else {
        sc_core::wait(responded);
    }
    time.reset();
}

tlm::tlm_sync_enum loose_cpu::nb_transport_bw(tlm::tlm_generic_payload &, tlm::tlm_phase &phase,
                                              sc_core::sc_time &delay)
{
    if (phase != tlm::BEGIN_RESP)
        return tlm::TLM_ACCEPTED;
    responded.notify(delay);
    phase = tlm::END_RESP;
    return tlm::TLM_COMPLETED;
}

void loose_cpu::access(tlm::tlm_command command, std::uint64_t address, unsigned char *data, unsigned int bytes)
{
    auto *payload = new tlm::tlm_generic_payload(this);
    payload->acquire();
    payload->set_command(command);
    payload->set_address(address);
    payload->set_data_ptr(data);
    payload->set_data_length(bytes);
    payload->set_streaming_width(bytes);
    accesses++;
    compute(1);
    if (access_directly(*payload))
        return;
    if (how.is_blocking)
        transport_blocking(*payload);
    else
        transport_in_phases(*payload);
    if (payload->is_response_error())
        SC_REPORT_ERROR("loose_cpu", payload->get_response_string().c_str());
    payload->release();
    if (time.need_sync())
        synchronize();
}

void loose_cpu::free(tlm::tlm_generic_payload *payload)
{
    delete payload;
}

void loose_cpu::invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64)
{
    is_denied = false; // what was refused may be asked for again
}

unsigned int loose_cpu::debug_access(tlm::tlm_command command, std::uint64_t address, void *data, unsigned int bytes)
{
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char *>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return bus->transport_dbg(payload);
}

std::uint32_t loose_cpu::load(std::uint64_t address)
{
    std::uint32_t value = 0;
    read(address, &value, sizeof value);
    return value;
}

void loose_cpu::store(std::uint64_t address, std::uint32_t value)
{
    write(address, &value, sizeof value);
}

void loose_cpu::read(std::uint64_t address, void *into, unsigned int bytes)
{
    access(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char *>(into), bytes);
}

void loose_cpu::write(std::uint64_t address, const void *from, unsigned int bytes)
{
    access(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned char *>(const_cast<void *>(from)), bytes);
}
