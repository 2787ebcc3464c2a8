# SPDX-License-Identifier: MIT
# Sources of transactions, from models/simt_core.
set(SIMT_CORE_TX_SOURCES
  tx/transactions.c
  tx/attempt.c
  tx/access.c
  tx/commit.c
  tx/undo.c
  tx/tell.c
  tx/log.c
  tx/intra_warp.c
  tx/getm/declaration.c
  tx/getm/gate.c
  tx/getm/getm.c
  tx/getm/logs.c
  tx/getm/rollover.c
  tx/ideal/declaration.c
  tx/ideal/ideal.c
  tx/ideal/commits.c)
