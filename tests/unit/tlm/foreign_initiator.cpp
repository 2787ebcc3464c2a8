// SPDX-License-Identifier: MIT
#include "foreign_models.h"

#include <cstring>
#include <tlm>
#include <vector>

#include "hd_message.h"

namespace
{

using sc_core::sc_time;

class counted_memory : public tlm::tlm_mm_interface
{
  public:
    void free(tlm::tlm_generic_payload *) override
    {
    }
};

class initiator : public sc_core::sc_module, public tlm::tlm_bw_transport_if<>
{
  public:
    SC_HAS_PROCESS(initiator);
    tlm::tlm_initiator_socket<> socket;

    initiator(sc_core::sc_module_name name, foreign_models &seen, uint32_t style, foreign_access *accesses,
              uint32_t count)
        : sc_module(name), socket("socket"), seen(seen), style(style), accesses(accesses), count(count),
          payloads(count), enables(count, std::vector<unsigned char>(1024))
    {
        socket.bind(*this);
        if (style == INITIATOR_BLOCKING) {
            SC_THREAD(run_blocking);
        } else {
            SC_THREAD(run_pipelined);
        }
        SC_THREAD(end_responses);
    }

    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload &payload, tlm::tlm_phase &phase, sc_time &) override
    {
        if (phase == tlm::END_REQ) {
            request_ended.notify(sc_core::SC_ZERO_TIME);
            is_requesting = false;
            return tlm::TLM_ACCEPTED;
        }
        if (&payload == last) {
            is_requesting = false;
            request_ended.notify(sc_core::SC_ZERO_TIME);
        }
        if (responding)
            seen.violations++;
        finish(payload);
        if (style != INITIATOR_SLOW) {
            phase = tlm::END_RESP;
            return tlm::TLM_COMPLETED;
        }
        responding = &payload;
        response_begun.notify(sc_time(20, sc_core::SC_NS));
        return tlm::TLM_ACCEPTED;
    }

    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override
    {
    }

  private:
    foreign_models &seen;
    const uint32_t style;
    foreign_access *accesses;
    const uint32_t count;
    counted_memory memory;
    std::vector<tlm::tlm_generic_payload> payloads;
    std::vector<std::vector<unsigned char>> enables;
    tlm::tlm_generic_payload *responding = nullptr, *last = nullptr;
    bool is_requesting = false;
    sc_core::sc_event request_ended, response_begun;

    void fill(uint32_t index)
    {
        foreign_access &access = accesses[index];
        tlm::tlm_generic_payload &payload = payloads[index];
        for (uint32_t i = 0; access.is_write && i < access.bytes; i++)
            access.data[i] = static_cast<uint8_t>(access.value + i);
        for (uint32_t i = 0; i < access.enable_bytes; i++)
            enables[index][i] = i % 2 ? 0 : 0xFF;
        payload.set_command(access.ignore     ? tlm::TLM_IGNORE_COMMAND
                            : access.is_write ? tlm::TLM_WRITE_COMMAND
                                              : tlm::TLM_READ_COMMAND);
        payload.set_address(access.address);
        payload.set_data_ptr(access.data);
        payload.set_data_length(access.bytes);
        payload.set_streaming_width(access.width ? access.width : access.bytes);
        if (access.enable_bytes) {
            payload.set_byte_enable_ptr(enables[index].data());
            payload.set_byte_enable_length(access.enable_bytes);
        }
        access.begun = sc_core::sc_time_stamp().value();
    }

    void finish(tlm::tlm_generic_payload &payload)
    {
        foreign_access &access = accesses[&payload - payloads.data()];
        access.status = static_cast<uint32_t>(100 + payload.get_response_status());
        access.ended = sc_core::sc_time_stamp().value();
    }

    void run_blocking()
    {
        for (uint32_t i = 0; i < count; i++) {
            sc_time delay = sc_time::from_value(accesses[i].delay_ps);
            fill(i);
            socket->b_transport(payloads[i], delay);
            sc_core::wait(delay);
            finish(payloads[i]);
        }
    }

    void run_pipelined()
    {
        for (uint32_t i = 0; i < count; i++) {
            sc_time delay = sc_time::from_value(accesses[i].delay_ps);
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            fill(i);
            payloads[i].set_mm(&memory);
            payloads[i].acquire();
            last = &payloads[i];
            is_requesting = true;
            tlm::tlm_sync_enum status = socket->nb_transport_fw(payloads[i], phase, delay);
            if (status == tlm::TLM_COMPLETED)
                finish(payloads[i]);
            if (status != tlm::TLM_ACCEPTED)
                is_requesting = false;
            while (is_requesting)
                sc_core::wait(request_ended);
            sc_core::wait(delay);
        }
    }

    void end_responses()
    {
        for (;;) {
            sc_core::wait(response_begun);
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_time delay = sc_core::SC_ZERO_TIME;
            tlm::tlm_generic_payload *ended = responding;
            responding = nullptr;
            socket->nb_transport_fw(*ended, phase, delay);
        }
    }
};

struct initiator_models : foreign_models {
    const uint32_t style;
    foreign_access *accesses;
    const uint32_t count;
    initiator_models(uint32_t style, foreign_access *accesses, uint32_t count)
        : style(style), accesses(accesses), count(count)
    {
    }
    sc_core::sc_object *make(const char *name) override
    {
        auto made = std::make_unique<initiator>(name, *this, style, accesses, count);
        auto *socket = &made->socket;
        module = std::move(made);
        return socket;
    }
};

const hd_port ports[] = {{"port", HD_PORT_INITIATOR, 1, 1, 1, 4, "requests"}};
const hd_message_use messages[] = {{HD_MEMORY_READ, HD_MESSAGE_SENT, 0, "port"},
                                   {HD_MEMORY_WRITE, HD_MESSAGE_SENT, 0, "port"},
                                   {HD_MEMORY_RESPONSE, HD_MESSAGE_RECEIVED, 0, "port"}};

} // namespace

const hd_block_class foreign_initiator_class = foreign_class("initiator", "a TLM-2.0 initiator", ports, messages);

foreign_models *foreign_initiator_new(uint32_t style, foreign_access *accesses, uint32_t count)
{
    return new initiator_models(style, accesses, count);
}

uint32_t foreign_initiator_violations(const foreign_models *models)
{
    return models->violations;
}
