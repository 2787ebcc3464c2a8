# SPDX-License-Identifier: MIT
# Sources of transactions, from models/simt_core. A protocol is a folder.
file(GLOB SIMT_CORE_TX_PROTOCOLS RELATIVE ${CMAKE_CURRENT_LIST_DIR}/.. CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*/*.c)
set(SIMT_CORE_TX_SOURCES
  tx/transactions.c
  tx/attempt.c
  tx/back_off.c
  tx/access.c
  tx/commit.c
  tx/undo.c
  tx/patience.c
  tx/pause.c
  tx/withdraw.c
  tx/report.c
  tx/thread_time.c
  tx/log.c
  tx/checkpoint.c
  tx/intra_warp.c
  ${SIMT_CORE_TX_PROTOCOLS})
