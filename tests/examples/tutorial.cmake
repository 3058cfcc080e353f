# The pages of docs/tutorial, docs/real-data.md and docs/from-pytorch.md are programs and tests: they compile, and their
# output and pictures are the ones on the page (scripts/tutorial).
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
set(tutorial ${PROJECT_SOURCE_DIR}/scripts/tutorial)
set(tutorial_programs ${CMAKE_CURRENT_BINARY_DIR}/tutorial)
file(MAKE_DIRECTORY ${tutorial_programs})
add_custom_target(tutorial)

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/tutorial/[0-9][0-9]-*.md)
list(APPEND pages ${PROJECT_SOURCE_DIR}/docs/real-data.md ${PROJECT_SOURCE_DIR}/docs/from-pytorch.md)
foreach(page IN LISTS pages)
  get_filename_component(name ${page} NAME_WE)
  set(name tutorial_${name})
  set(source ${tutorial_programs}/${name}.c)
  add_custom_command(OUTPUT ${source}
    COMMAND Python3::Interpreter ${tutorial} --extract ${page} --marks --output ${source}
    DEPENDS ${page} ${tutorial}
    COMMENT "Extracting ${page}"
    VERBATIM)
  add_executable(${name} ${source})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${tutorial_programs})
  target_link_libraries(${name} PRIVATE heed::tested m)
  heed_compile(${name})
  target_compile_options(${name} PRIVATE -Wno-frame-larger-than) # a page is one long main
  add_dependencies(tutorial ${name})
  add_test(NAME ${name} COMMAND Python3::Interpreter ${tutorial} --check --programs ${tutorial_programs} ${page})
endforeach()

add_test(NAME test_tutorial
  COMMAND Python3::Interpreter ${CMAKE_CURRENT_LIST_DIR}/test_tutorial.py ${CMAKE_C_COMPILER})
