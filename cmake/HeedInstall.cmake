# What `cmake --install` puts where: the headers, both libraries, heed-gradcheck, and the files by which others find
# them: a CMake package (heed::heed, heed::heed-static) and heed.pc for pkg-config.

include(CMakePackageConfigHelpers)

set(HEED_CMAKE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/heed)
install(DIRECTORY include/heed DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(TARGETS heed-static EXPORT heed-targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(HEED_SHARED)
  install(TARGETS heed-shared EXPORT heed-targets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET heed-gradcheck)
  install(TARGETS heed-gradcheck RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(EXPORT heed-targets NAMESPACE heed:: DESTINATION ${HEED_CMAKE_FOLDER})
configure_package_config_file(cmake/heedConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake
  INSTALL_DESTINATION ${HEED_CMAKE_FOLDER} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heedConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/heedConfigVersion.cmake
  DESTINATION ${HEED_CMAKE_FOLDER})

# What the static library needs beside itself.
set(HEED_PC_PRIVATE "-ljansson -lz -lm -lpthread")
if(HEED_SHARED)
  set(HEED_PC_LIBS "-L\${libdir} -lheed")
  set(HEED_PC_LIBS_PRIVATE "${HEED_PC_PRIVATE}")
else()
  set(HEED_PC_LIBS "-L\${libdir} -lheed ${HEED_PC_PRIVATE}")
endif()
# Relative to the file itself, so that the installed tree can be moved.
file(RELATIVE_PATH HEED_PC_PREFIX ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" HEED_PC_PREFIX "\${pcfiledir}/${HEED_PC_PREFIX}")
configure_file(cmake/heed.pc.in ${CMAKE_CURRENT_BINARY_DIR}/heed.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/heed.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
