# What src/plot needs: stb's headers, and a font, which is turned into C tables while building and is not needed after.

find_path(HEED_STB_DIR stb_image_write.h PATH_SUFFIXES stb DOC "Folder of stb_image_write.h and stb_truetype.h")
if(NOT HEED_STB_DIR OR NOT EXISTS ${HEED_STB_DIR}/stb_truetype.h)
  message(FATAL_ERROR "stb_image_write.h and stb_truetype.h were not found. Install them (Debian, Ubuntu: libstb-dev) "
                      "or set HEED_STB_DIR to their folder.")
endif()

find_file(HEED_FONT DejaVuSans.ttf
  PATHS /usr/share/fonts /usr/local/share/fonts
  PATH_SUFFIXES truetype/dejavu dejavu TTF dejavu-sans-fonts
  DOC "TrueType font for the text in plots")
if(NOT HEED_FONT)
  message(FATAL_ERROR "DejaVuSans.ttf was not found. Install it (Debian, Ubuntu: fonts-dejavu-core) or set HEED_FONT to "
                      "its path.")
endif()

add_executable(bake-font ${PROJECT_SOURCE_DIR}/tools/bake-font.c)
target_include_directories(bake-font SYSTEM PRIVATE ${HEED_STB_DIR})
target_link_libraries(bake-font PRIVATE m)

set(font_data ${CMAKE_CURRENT_BINARY_DIR}/plot/font-data.c)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/plot)
add_custom_command(OUTPUT ${font_data}
  COMMAND bake-font ${HEED_FONT} ${font_data}
  DEPENDS bake-font ${HEED_FONT}
  COMMENT "Baking ${HEED_FONT}"
  VERBATIM)

target_sources(heed-objects PRIVATE ${font_data})
target_include_directories(heed-objects SYSTEM PRIVATE ${HEED_STB_DIR})
