# Builds heed from the sources that contain this port: vcpkg install heed --overlay-ports=packaging/vcpkg
# The library contains glyphs of DejaVuSans.ttf, which is read from the system.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

string(COMPARE EQUAL "${VCPKG_LIBRARY_LINKAGE}" "dynamic" shared)
vcpkg_find_acquire_program(PKGCONFIG)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DHEED_SHARED=${shared}
    -DHEED_BUILD_TESTS=OFF
    -DHEED_BUILD_EXAMPLES=OFF
    -DHEED_BUILD_BENCH=OFF
    -DHEED_BUILD_TOOLS=OFF
    -DHEED_MPI=OFF
    -DHEED_TENSORBOARD=OFF
    -DHEED_ONNX=OFF
    -DHEED_IMAGES=OFF
    "-DHEED_STB_DIR=${CURRENT_INSTALLED_DIR}/include"
    "-DPKG_CONFIG_EXECUTABLE=${PKGCONFIG}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/heed)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE.md")
