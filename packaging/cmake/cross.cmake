# Builds for a different processor or system, with Debian's cross compilers and a folder of that target's libraries;
# tests run in qemu or wine:
#
#   cmake -B build/aarch64 -DCMAKE_TOOLCHAIN_FILE=packaging/cmake/cross.cmake -DHEED_TARGET=aarch64 -DHEED_SYSROOT=/folder
#
# HEED_TARGET is aarch64, i686, s390x, ppc64le, riscv64 or windows (x86-64). scripts/portability makes such folders.
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEED_TARGET HEED_SYSROOT)
set(HEED_TARGET "" CACHE STRING "Processor or system to build for")
set(HEED_SYSROOT "" CACHE PATH "Folder with the libraries and headers of that target")

if(HEED_TARGET STREQUAL "windows")
  include(${CMAKE_CURRENT_LIST_DIR}/cross-windows.cmake)
  return()
endif()

set(qemu ${HEED_TARGET})
set(compiler ${HEED_TARGET}-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE ${HEED_TARGET}-linux-gnu)
if(HEED_TARGET STREQUAL "i686")
  set(qemu "") # x86-64 runs its programs
  set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
elseif(HEED_TARGET STREQUAL "ppc64le")
  set(compiler powerpc64le-linux-gnu-gcc)
  set(CMAKE_LIBRARY_ARCHITECTURE powerpc64le-linux-gnu)
elseif(NOT HEED_TARGET MATCHES "^(aarch64|s390x|riscv64)$")
  message(FATAL_ERROR "HEED_TARGET is ${HEED_TARGET}: must be aarch64, i686, s390x, ppc64le, riscv64 or windows")
endif()

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR ${HEED_TARGET})
set(CMAKE_SYSROOT ${HEED_SYSROOT})
set(CMAKE_C_COMPILER ${compiler})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${HEED_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig:${HEED_SYSROOT}/usr/share/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${HEED_SYSROOT})

# The headers and libraries of that folder come before the compiler's own C library, which may have a different version.
set(CMAKE_C_FLAGS_INIT
  "-isystem ${HEED_SYSROOT}/usr/include/${CMAKE_LIBRARY_ARCHITECTURE} -isystem ${HEED_SYSROOT}/usr/include")

# Programs contain the paths of that folder's loader and libraries, so that they run without options.
file(GLOB loader ${HEED_SYSROOT}/lib*/ld*.so.[12])
set(libraries ${HEED_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}:${HEED_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-L${HEED_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} -Wl,--dynamic-linker=${loader} -Wl,-rpath,${libraries} -Wl,--disable-new-dtags")
if(qemu)
  find_program(HEED_QEMU NAMES qemu-${qemu}-static qemu-${qemu} REQUIRED)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${HEED_QEMU})
endif()
