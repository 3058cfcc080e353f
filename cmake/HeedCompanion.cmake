# A companion: a library of heed's own beside libheed, static and shared like it, for what libheed must not depend on. It is in
# src/NAME, with one public header src/NAME/include/heed/NAME.h.
#
#   heed_companion(NAME SOURCES file... [NEEDS library...] [PUBLIC])    libheed-NAME: heed::NAME, heed::NAME-static
#   heed_install_companion(NAME)                                        installs it, where it was built
#
# What it needs is its own affair, and of those who link it statically, unless it is PUBLIC: part of the header.

function(heed_companion name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PUBLIC" "" "SOURCES;NEEDS")
  set(needs PRIVATE)
  if(arg_PUBLIC)
    set(needs PUBLIC)
  endif()
  set(objects heed-${name}-objects)
  add_library(${objects} OBJECT ${arg_SOURCES})
  target_include_directories(${objects} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/include)
  target_link_libraries(${objects} PRIVATE heed-static ${arg_NEEDS})
  heed_compile(${objects})
  set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  foreach(kind STATIC SHARED)
    string(TOLOWER ${kind} lower)
    set(library heed-${name}-${lower})
    if(kind STREQUAL "STATIC" OR HEED_SHARED)
      add_library(${library} ${kind} $<TARGET_OBJECTS:${objects}>)
      target_include_directories(${library} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
      target_link_libraries(${library} PUBLIC heed-${lower} ${needs} ${arg_NEEDS})
      heed_compile(${library})
      set_target_properties(${library} PROPERTIES OUTPUT_NAME heed-${name} VERSION ${PROJECT_VERSION} SOVERSION 0
        LINKER_LANGUAGE C)
    endif()
  endforeach()
  set_target_properties(heed-${name}-static PROPERTIES EXPORT_NAME ${name}-static)
  add_library(heed::${name}-static ALIAS heed-${name}-static)
  if(HEED_SHARED)
    set_target_properties(heed-${name}-shared PROPERTIES EXPORT_NAME ${name})
    add_library(heed::${name} ALIAS heed-${name}-shared)
  else()
    add_library(heed::${name} ALIAS heed-${name}-static)
  endif()
endfunction()

# Headers, libraries, and their targets for CMake: a file for each, as heed's own. Sets HEED_HAS_NAME, which heedConfig.cmake
# has from here.
function(heed_install_companion name)
  string(TOUPPER HEED_HAS_${name} has)
  set(${has} OFF PARENT_SCOPE)
  if(NOT TARGET heed-${name}-static)
    return()
  endif()
  set(${has} ON PARENT_SCOPE)
  install(FILES src/${name}/include/heed/${name}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed)
  install(TARGETS heed-${name}-static EXPORT heed-${name}-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heed-${name}-static NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
  if(HEED_SHARED)
    install(TARGETS heed-${name}-shared EXPORT heed-${name}-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT heed-${name}-shared NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
  endif()
endfunction()
