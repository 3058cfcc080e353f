# cmake --build BUILD --target uninstall: removes the files that the last `cmake --install` of this build folder
# installed.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(manifest ${CMAKE_ARGV3}/install_manifest.txt)
if(NOT EXISTS ${manifest})
  message(FATAL_ERROR "no installation from this build folder: ${manifest} does not exist")
endif()
file(STRINGS ${manifest} files)
foreach(file IN LISTS files)
  message(STATUS "Removing $ENV{DESTDIR}${file}")
  file(REMOVE "$ENV{DESTDIR}${file}")
endforeach()
