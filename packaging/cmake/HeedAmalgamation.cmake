# The library as two files (docs/one-file.md): the target `amalgamation`, and the sources for HEED_AMALGAMATED.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

find_package(Python3 3.9 QUIET COMPONENTS Interpreter)
set(amalgamation ${PROJECT_BINARY_DIR}/amalgamation)
file(GLOB_RECURSE amalgamated CONFIGURE_DEPENDS *.c *.h *.def ${PROJECT_SOURCE_DIR}/include/*.h)
add_custom_command(OUTPUT ${amalgamation}/heed.c ${amalgamation}/heed.h
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/amalgamate --font ${font_data} --stb ${HEED_STB_DIR} ${amalgamation}
  DEPENDS ${PROJECT_SOURCE_DIR}/scripts/amalgamate ${font_data} ${amalgamated}
  COMMENT "Writing the library as two files, heed.c and heed.h"
  VERBATIM)
add_custom_target(amalgamation DEPENDS ${amalgamation}/heed.c)
