# A companion is a library next to libheed, static and shared like it, with dependencies that libheed must not have.
# It is in companions/NAME: its public header include/heed/NAME.h, src, tests, and README.md, its page.
#
#   heed_companion(NAME SOURCES file... [NEEDS library...] [PUBLIC]    libheed-NAME: heed::NAME, heed::NAME-static
#                  [MESSAGES file.proto] [OWN file...])
#   heed_install_companion(NAME)                                       installs it, if it was built
#
# Its dependencies concern only the companion and programs that link it statically, unless it is PUBLIC: the header
# then needs them. protobuf-c generates the code of MESSAGES during the build, so that it fits the version of the
# linked library. OWN are files of libheed's src that libheed keeps private: its static library exports them, the shared
# companion gets copies. The copies are hidden, also where the tests need libheed's private names from its shared
# library: otherwise both libraries would use one of the two copies, which AddressSanitizer reports for data.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

function(heed_companion name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PUBLIC" "MESSAGES" "SOURCES;NEEDS;OWN")
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
  if(arg_MESSAGES)
    heed_companion_messages(${name} ${arg_MESSAGES})
  endif()
  if(arg_OWN)
    list(TRANSFORM arg_OWN PREPEND ${PROJECT_SOURCE_DIR}/src/)
    target_include_directories(${objects} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${objects} PRIVATE _POSIX_C_SOURCE=200809L)
  endif()
  foreach(kind STATIC SHARED)
    string(TOLOWER ${kind} lower)
    set(library heed-${name}-${lower})
    if(kind STREQUAL "STATIC" OR HEED_SHARED)
      add_library(${library} ${kind} $<TARGET_OBJECTS:${objects}>)
      target_include_directories(${library} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
      target_link_libraries(${library} PUBLIC heed-${lower} ${needs} ${arg_NEEDS})
      heed_compile(${library})
      if(arg_OWN AND kind STREQUAL "SHARED")
        target_sources(${library} PRIVATE ${arg_OWN})
        target_include_directories(${library} PRIVATE ${PROJECT_SOURCE_DIR}/src)
        target_compile_definitions(${library} PRIVATE _POSIX_C_SOURCE=200809L)
        set_target_properties(${library} PROPERTIES C_VISIBILITY_PRESET hidden)
      endif()
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

# Adds the code of NAME.proto's messages, in the folder `messages`, to the sources of heed-COMPANION-objects; the
# target heed-COMPANION-messages makes it.
function(heed_companion_messages companion proto)
  get_filename_component(stem ${proto} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/messages)
  set(messages ${folder}/${stem}.pb-c.c ${folder}/${stem}.pb-c.h)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${messages}
    COMMAND ${HEED_PROTOC_C} -I ${CMAKE_CURRENT_SOURCE_DIR}/src --c_out=${folder} ${CMAKE_CURRENT_SOURCE_DIR}/src/${proto}
    DEPENDS src/${proto} VERBATIM)
  add_custom_target(heed-${companion}-messages DEPENDS ${messages})
  set_source_files_properties(${messages} PROPERTIES COMPILE_OPTIONS -w) # generated code
  target_sources(heed-${companion}-objects PRIVATE ${messages})
  target_include_directories(heed-${companion}-objects SYSTEM PRIVATE ${folder})
endfunction()

# Installs headers, libraries, and their CMake targets: a file per library, as for heed. Sets HEED_HAS_NAME, which
# heedConfig.cmake uses.
function(heed_install_companion name)
  string(TOUPPER HEED_HAS_${name} has)
  set(${has} OFF PARENT_SCOPE)
  if(NOT TARGET heed-${name}-static)
    return()
  endif()
  set(${has} ON PARENT_SCOPE)
  install(FILES companions/${name}/include/heed/${name}.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heed)
  install(TARGETS heed-${name}-static EXPORT heed-${name}-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heed-${name}-static NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
  if(HEED_SHARED)
    install(TARGETS heed-${name}-shared EXPORT heed-${name}-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT heed-${name}-shared NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
  endif()
endfunction()
