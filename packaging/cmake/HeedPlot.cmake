# Dependencies of src/plot (HeedNeeds.cmake finds them): stb's headers, and a font, which is converted to C tables
# during the build.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(bake_source ${PROJECT_SOURCE_DIR}/tools/bake-font.c)
if(CMAKE_CROSSCOMPILING)
  set(bake_font ${CMAKE_CURRENT_BINARY_DIR}/bake-font)
  add_custom_command(OUTPUT ${bake_font}
    COMMAND ${HEED_HOST_CC} -std=c11 -O1 -isystem ${HEED_STB_DIR} ${bake_source} -o ${bake_font} -lm
    DEPENDS ${bake_source}
    COMMENT "Building bake-font for this machine"
    VERBATIM)
else()
  set(bake_font bake-font)
  add_executable(bake-font ${bake_source})
  target_include_directories(bake-font SYSTEM PRIVATE ${HEED_STB_DIR})
  target_link_libraries(bake-font PRIVATE m)
endif()

set(font_data ${CMAKE_CURRENT_BINARY_DIR}/plot/font-data.c)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/plot)
add_custom_command(OUTPUT ${font_data}
  COMMAND ${bake_font} ${HEED_FONT} ${font_data}
  DEPENDS ${bake_font} ${HEED_FONT}
  COMMENT "Converting ${HEED_FONT} to C"
  VERBATIM)

target_sources(heed-objects PRIVATE ${font_data})
target_include_directories(heed-objects SYSTEM PRIVATE ${HEED_STB_DIR})
