# Every file of docs/manual/examples is a program and a test: it compiles, and its output is the text of its comments
# (docs/manual/README.md).
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(manual ${PROJECT_SOURCE_DIR}/scripts/manual)
set(manual_programs ${CMAKE_CURRENT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_programs})
add_custom_target(manual_examples)

file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/manual/examples/*.c)
foreach(example IN LISTS examples)
  get_filename_component(name ${example} NAME_WE)
  set(name manual_${name})
  set(source ${manual_programs}/${name}.c)
  add_custom_command(OUTPUT ${source}
    COMMAND Python3::Interpreter ${manual} mark ${example} ${source}
    DEPENDS ${example} ${manual} ${PROJECT_SOURCE_DIR}/docs/manual/make/examples.py
    COMMENT "Marking ${example}"
    VERBATIM)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${manual_programs})
  target_link_libraries(${name} PRIVATE heed::tested m)
  heed_compile(${name})
  # A mark follows a statement on the same line; NAN is a float.
  target_compile_options(${name} PRIVATE -Wno-misleading-indentation -Wno-double-promotion)
  add_dependencies(manual_examples ${name})
  add_test(NAME ${name} COMMAND Python3::Interpreter ${manual} check --programs ${manual_programs} ${example})
endforeach()

set_property(TEST manual_elementwise_functions APPEND PROPERTY LABELS op)
add_dependencies(op-checks manual_elementwise_functions)

add_test(NAME test_manual
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_manual.py ${CMAKE_C_COMPILER})
add_test(NAME test_manual_search COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_manual_search.py)
set_tests_properties(test_manual_search PROPERTIES SKIP_RETURN_CODE 77)
if(TARGET heed-gradcheck)
  set(gradcheck $<TARGET_FILE:heed-gradcheck>)
endif()
add_test(NAME test_manual_pages
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_manual_pages.py ${gradcheck})
add_test(NAME test_site COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_site.py)
set_tests_properties(test_site PROPERTIES LABELS gate SKIP_RETURN_CODE 77)
