# The README's program is compiled and run as it stands there.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

file(READ ${PROJECT_SOURCE_DIR}/README.md readme)
string(FIND "${readme}" "```c\n" begin)
string(SUBSTRING "${readme}" ${begin} -1 readme)
string(SUBSTRING "${readme}" 5 -1 readme)
string(FIND "${readme}" "```" length)
string(SUBSTRING "${readme}" 0 ${length} hello)
set(hello_source ${CMAKE_CURRENT_BINARY_DIR}/readme_hello.c)
file(CONFIGURE OUTPUT ${hello_source} CONTENT "${hello}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/README.md)

add_executable(readme_hello ${hello_source})
target_link_libraries(readme_hello PRIVATE heed-static)
heed_compile(readme_hello)
add_test(NAME readme_hello COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_readme.py
  $<TARGET_FILE:readme_hello> ${PROJECT_SOURCE_DIR})
