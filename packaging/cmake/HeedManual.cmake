# The manual: the target `manual`, part of the default build, makes MANUAL/html and MANUAL/man with scripts/manual
# from headers, examples and pages; `cmake --install` installs both.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
find_package(Doxygen 1.9.1 REQUIRED)

set(HEED_MANUAL ${CMAKE_CURRENT_BINARY_DIR}/manual)
file(GLOB_RECURSE manual_sources CONFIGURE_DEPENDS include/heed/*.h docs/manual/* companions/python/heed/*.py)
list(FILTER manual_sources EXCLUDE REGEX "__pycache__")
add_custom_command(OUTPUT ${HEED_MANUAL}/made
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/scripts/manual build $<$<BOOL:${HEED_WERROR}>:--strict>
    --doxygen $<TARGET_FILE:Doxygen::doxygen> ${HEED_MANUAL}
  COMMAND ${CMAKE_COMMAND} -E touch ${HEED_MANUAL}/made
  DEPENDS ${manual_sources} scripts/manual
  COMMENT "Making the manual"
  COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(manual ALL DEPENDS ${HEED_MANUAL}/made)

install(DIRECTORY ${HEED_MANUAL}/html DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${HEED_MANUAL}/man/man3 ${HEED_MANUAL}/man/man7 DESTINATION ${CMAKE_INSTALL_MANDIR})
if(TARGET heed-gradcheck)
  install(DIRECTORY ${HEED_MANUAL}/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
