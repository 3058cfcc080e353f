# Additional sources of test_parity.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

target_sources(test_parity PRIVATE parity/compare.c parity/reader.c parity/run.c parity/slots.c)
target_include_directories(test_parity PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/src)
heed_use_op_calls(test_parity)
heed_use_layer_calls(test_parity)
