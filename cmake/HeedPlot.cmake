# What src/plot needs (HeedNeeds.cmake finds it): stb's headers, and a font, which is turned into C tables while building.

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
