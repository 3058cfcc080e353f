# heed_use_op_calls(TARGET): adds calls of all ops whose arguments come from slots (slots.py); the program fills the
# slots.
# heed_use_layer_calls(TARGET): the same for layers, with their cases (tests/nn). heed_use_layer_cases(TARGET): the
# driver of these cases.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

include_guard(GLOBAL)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

set(slots_folder ${CMAKE_CURRENT_LIST_DIR})
set(cases_folder ${PROJECT_SOURCE_DIR}/tests/nn)
set(HEED_OP_CALLS ${PROJECT_BINARY_DIR}/slots/op_calls.inc)
set(HEED_LAYER_CALLS ${PROJECT_BINARY_DIR}/slots/layer_calls.inc)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/heed/*.h)
file(GLOB layer_cases CONFIGURE_DEPENDS ${cases_folder}/*.c)
list(FILTER layer_cases EXCLUDE REGEX "/(driver|test_[a-z0-9_]+)\\.c$")
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/slots)
set(slots_py ${slots_folder}/slots.py)
add_custom_command(OUTPUT ${HEED_OP_CALLS}
  COMMAND Python3::Interpreter ${slots_py} ops ${PROJECT_SOURCE_DIR}/include/heed ${HEED_OP_CALLS}
  DEPENDS ${headers} ${slots_py} ${slots_folder}/headers.py)
add_custom_command(OUTPUT ${HEED_LAYER_CALLS}
  COMMAND Python3::Interpreter ${slots_py} layers ${PROJECT_SOURCE_DIR}/include/heed ${HEED_LAYER_CALLS} ${layer_cases}
  DEPENDS ${headers} ${layer_cases} ${slots_py} ${slots_folder}/headers.py)
file(GLOB torch_cases CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/parity/data/nn_*.json)
set(derived_cases ${PROJECT_BINARY_DIR}/slots/layer_cases.c)
add_custom_command(OUTPUT ${derived_cases}
  COMMAND Python3::Interpreter ${slots_py} cases ${PROJECT_SOURCE_DIR}/include/heed ${derived_cases}
    ${PROJECT_SOURCE_DIR}/tests/parity/data ${layer_cases}
  DEPENDS ${headers} ${layer_cases} ${torch_cases} ${slots_py} ${slots_folder}/headers.py)
add_custom_target(heed-slots DEPENDS ${HEED_OP_CALLS} ${HEED_LAYER_CALLS})

add_library(heed-layer-cases OBJECT ${layer_cases} ${derived_cases})
target_include_directories(heed-layer-cases PUBLIC ${slots_folder} ${cases_folder} ${PROJECT_BINARY_DIR}/slots
  ${PROJECT_SOURCE_DIR}/include)
heed_compile(heed-layer-cases)

function(heed_use_op_calls target)
  add_dependencies(${target} heed-slots)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${PROJECT_BINARY_DIR}/slots)
endfunction()

function(heed_use_layer_calls target)
  add_dependencies(${target} heed-slots)
  target_link_libraries(${target} PRIVATE heed-layer-cases)
endfunction()

function(heed_use_layer_cases target)
  heed_use_layer_calls(${target})
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/nn/driver.c)
endfunction()
