/* SPDX-License-Identifier: MIT */
/* Models as others write them, for either end of a memory link. */
#ifndef TLM_FOREIGN_H
#define TLM_FOREIGN_H

#include <stdint.h>

#include "hd_block.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ways in which a target may answer within the base protocol. */
#define TARGET_END_THEN_RESPONSE 0u /* TLM_ACCEPTED; END_REQ, later BEGIN_RESP */
#define TARGET_RETURNS_END 1u       /* TLM_UPDATED with END_REQ; later BEGIN_RESP */
#define TARGET_RESPONSE_ONLY 2u     /* TLM_ACCEPTED; BEGIN_RESP stands for END_REQ too */
#define TARGET_RETURNS_RESPONSE 3u  /* TLM_UPDATED with BEGIN_RESP, annotated with a delay */
#define TARGET_COMPLETES 4u         /* TLM_COMPLETED, annotated with a delay */
#define TARGET_ANNOTATES 5u         /* backward calls annotated with delays */
#define TARGET_BLOCKING 6u          /* b_transport, behind simple_target_socket */
#define TARGET_REFUSES 7u           /* answers TLM_ADDRESS_ERROR_RESPONSE */
#define TARGET_OVERLAPS 8u          /* breaks the protocol: a response does not wait for the end of the one before */

typedef struct foreign_models foreign_models;
foreign_models *foreign_target_new(uint32_t style);
/* What the target saw that the base protocol forbids: a request before END_REQ, a response that was not ended ... */
uint32_t foreign_target_violations(const foreign_models *models);
uint32_t foreign_target_requests(const foreign_models *models);

/* Accesses for a foreign initiator, in order. */
typedef struct foreign_access {
    uint64_t address;
    uint32_t bytes;
    uint32_t is_write;
    uint32_t value;        /* first byte of the data written, then counting up */
    uint32_t enable_bytes; /* 0: none; else byte enables, every second one off */
    uint32_t width;        /* streaming width; 0: as bytes */
    uint32_t ignore;       /* TLM_IGNORE_COMMAND */
    uint64_t delay_ps;     /* annotated */
    /* What came back. */
    uint32_t status; /* tlm_response_status + 100 */
    uint64_t begun, ended;
    uint8_t data[1024];
} foreign_access;
#define STATUS_OK 101u
#define STATUS_ADDRESS 98u
#define STATUS_COMMAND 97u
#define STATUS_BURST 96u
#define STATUS_BYTE_ENABLE 95u

#define INITIATOR_BLOCKING 0u  /* b_transport, one after another */
#define INITIATOR_PIPELINED 1u /* nb_transport: the next as soon as END_REQ allows */
#define INITIATOR_SLOW 2u      /* the same, END_RESP 20 ns after BEGIN_RESP */
foreign_models *foreign_initiator_new(uint32_t style, foreign_access *accesses, uint32_t count);
/* Responses that came while one was not ended. */
uint32_t foreign_initiator_violations(const foreign_models *models);

extern const hd_block_class foreign_target_class, foreign_initiator_class;

/* Their class: one memory port `port`, and three messages. */
hd_block_class foreign_class(const char *type, const char *doc, const hd_port *port, const hd_message_use *messages);

void foreign_free(foreign_models *models);
/* For hd_tlm_options. */
void *foreign_socket(void *models, const char *instance, const char *port, uint32_t element);
void foreign_release(void *models);

#ifdef __cplusplus
}
#endif

#endif
