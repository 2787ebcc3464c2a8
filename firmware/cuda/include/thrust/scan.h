/* SPDX-License-Identifier: MIT */
#error "Heddle has no Thrust"
