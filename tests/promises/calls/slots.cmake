# heed_use_op_calls(TARGET): the ops' calls with their arguments in slots (slots.py), for a program that fills these.

include_guard(GLOBAL)
find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)

set(HEED_OP_CALLS ${PROJECT_BINARY_DIR}/op_calls/op_calls.inc)
file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/heed/*.h)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/op_calls)
add_custom_command(OUTPUT ${HEED_OP_CALLS}
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/slots.py ${PROJECT_SOURCE_DIR}/include/heed ${HEED_OP_CALLS}
  DEPENDS ${headers} ${CMAKE_CURRENT_LIST_DIR}/slots.py ${CMAKE_CURRENT_LIST_DIR}/headers.py)
add_custom_target(heed-op-calls DEPENDS ${HEED_OP_CALLS})

function(heed_use_op_calls target)
  add_dependencies(${target} heed-op-calls)
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR} ${PROJECT_BINARY_DIR}/op_calls)
endfunction()
