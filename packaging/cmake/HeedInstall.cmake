# The files that `cmake --install` installs: the headers, both libraries, heed-gradcheck, heed-np, the licences, a
# CMake package (heed::heed, heed::heed-static), and heed.pc for pkg-config. If libheed-mpi, libheed-tensorboard,
# libheed-onnx and libheed-images were built, the same for them: heed::mpi, heed::mpi-static, heed-mpi.pc and so on.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

include(CMakePackageConfigHelpers)

set(HEED_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
install(DIRECTORY include/heed DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE NOTICE.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(TARGET heed-gradcheck)
  install(TARGETS heed-gradcheck heed-np RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

# One file of targets per library: users of the shared library do not need the static library's dependencies.
install(TARGETS heed-static EXPORT heed-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT heed-static NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
if(HEED_SHARED)
  install(TARGETS heed-shared EXPORT heed-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heed-shared NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
endif()
heed_install_companion(mpi)
heed_install_companion(tensorboard)
heed_install_companion(onnx)
heed_install_companion(images)
if(HEED_HAS_MPI)
  list(GET MPI_C_LIBRARIES 0 HEED_MPI_LIBRARY)
  get_filename_component(HEED_MPI_LIBRARY ${HEED_MPI_LIBRARY} NAME)
endif()
configure_package_config_file(packaging/cmake/heedConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake
  INSTALL_DESTINATION ${HEED_CMAKE_FOLDER} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake
  DESTINATION ${HEED_CMAKE_FOLDER})

# Flags for the linker, without the folders that it searches anyway.
function(heed_pc_words result)
  set(words ${ARGN})
  list(TRANSFORM CMAKE_C_IMPLICIT_LINK_DIRECTORIES PREPEND "-L" OUTPUT_VARIABLE searched_anyway)
  list(REMOVE_ITEM words ${searched_anyway})
  list(JOIN words " " words)
  set(${result} ${words} PARENT_SCOPE)
endfunction()

# The static library's dependencies. They are not in Requires.private, because pkg-config would then require all
# .pc files even for the shared library.
heed_pc_words(HEED_PC_PRIVATE ${JANSSON_STATIC_LDFLAGS} -lz -lm -lpthread)
if(HEED_SHARED)
  set(HEED_PC_LIBS "-L\${libdir} -lheed")
  set(HEED_PC_LIBS_PRIVATE "${HEED_PC_PRIVATE}")
else()
  set(HEED_PC_LIBS "-L\${libdir} -lheed ${HEED_PC_PRIVATE}")
endif()
# Relative to the file itself, so that the installed tree can be moved.
set(HEED_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
set(HEED_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
set(HEED_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
foreach(folder PREFIX LIBDIR INCLUDEDIR)
  file(RELATIVE_PATH HEED_PC_${folder} ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${HEED_PC_${folder}})
  string(REGEX REPLACE "/$" "" HEED_PC_${folder} "${HEED_PC_${folder}}")
endforeach()
configure_file(packaging/cmake/heed.pc.in ${CMAKE_CURRENT_BINARY_DIR}/heed.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heed.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(HEED_HAS_MPI)
  set(HEED_PC_MPI_CFLAGS ${MPI_C_COMPILE_OPTIONS} ${MPI_C_INCLUDE_DIRS})
  list(TRANSFORM HEED_PC_MPI_CFLAGS PREPEND "-I" REGEX "^/")
  list(JOIN HEED_PC_MPI_CFLAGS " " HEED_PC_MPI_CFLAGS)
  list(JOIN MPI_C_LIBRARIES " " HEED_PC_MPI_LIBS)
  configure_file(packaging/cmake/heed-mpi.pc.in ${CMAKE_CURRENT_BINARY_DIR}/heed-mpi.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heed-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()

set(tensorboard_flags ${PROTOBUF_C_STATIC_LDFLAGS})
set(onnx_flags ${PROTOBUF_C_STATIC_LDFLAGS})
set(images_flags ${LIBPNG_STATIC_LDFLAGS} ${LIBJPEG_STATIC_LDFLAGS})
list(REMOVE_DUPLICATES images_flags)
foreach(name tensorboard onnx images)
  string(TOUPPER ${name} upper)
  if(HEED_HAS_${upper})
    heed_pc_words(HEED_PC_${upper}_PRIVATE ${${name}_flags})
    if(HEED_SHARED)
      set(HEED_PC_${upper}_LIBS "-lheed-${name}")
    else()
      set(HEED_PC_${upper}_LIBS "-lheed-${name} ${HEED_PC_${upper}_PRIVATE}")
      set(HEED_PC_${upper}_PRIVATE "")
    endif()
    configure_file(packaging/cmake/heed-${name}.pc.in ${CMAKE_CURRENT_BINARY_DIR}/heed-${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heed-${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  endif()
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_LIST_DIR}/uninstall.cmake ${PROJECT_BINARY_DIR} VERBATIM)

  # `cpack` makes a tarball of the installed files, `cpack --config CPackSourceConfig.cmake` one of the sources.
  set(CPACK_GENERATOR TGZ)
  set(CPACK_SOURCE_GENERATOR TGZ)
  set(CPACK_SOURCE_IGNORE_FILES "/\\.git/" "/build/" "/out/")
  set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
  set(CPACK_VERBATIM_VARIABLES ON)
  include(CPack)
endif()
