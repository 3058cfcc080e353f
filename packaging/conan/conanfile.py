"""packaging/conan/conanfile.py - the Conan 2 recipe of heed, for the sources that contain this file: conan create packaging/conan

The library contains glyphs of DejaVuSans.ttf, which is read from the system, or of the font given by the option `font`.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.gnu import PkgConfigDeps

SOURCES = ("CMakeLists.txt", "LICENSE", "NOTICE.md", "packaging/cmake/*", "include/*", "src/*", "tools/*", "scripts/*", "tests/promises/calls/*")


class Heed(ConanFile):
    name = "heed"
    description = "Deep-learning library for C"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "font": [None, "ANY"]}
    default_options = {"shared": False, "fPIC": True, "font": None}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._root(), "include", "heed", "heed.h"))
        self.version = re.search(r'^#define HEED_VERSION "(.*)"', header, re.M).group(1)

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, src=self._root(), dst=self.export_sources_folder)

    def requirements(self):
        self.requires("zlib/[>=1.2.11 <2]")
        self.requires("jansson/[>=2.13 <3]")

    def build_requirements(self):
        self.tool_requires("cmake/[>=3.22]")
        if not self.conf.get("tools.gnu:pkg_config"):
            self.tool_requires("pkgconf/[>=1.9]")
        self.test_requires("stb/[>=cci.20220909]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        PkgConfigDeps(self).generate()
        toolchain = CMakeToolchain(self)
        variables = toolchain.cache_variables
        variables["HEED_SHARED"] = bool(self.options.shared)
        for part in ("TESTS", "EXAMPLES", "BENCH", "TOOLS"):
            variables[f"HEED_BUILD_{part}"] = False
        for companion in ("MPI", "TENSORBOARD", "ONNX", "IMAGES"):
            variables[f"HEED_{companion}"] = "OFF"
        variables["HEED_STB_DIR"] = self.dependencies["stb"].cpp_info.includedirs[0]
        if self.options.font:
            variables["HEED_FONT"] = str(self.options.font)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))

    def package_info(self):
        self.cpp_info.libs = ["heed"]
        self.cpp_info.set_property("cmake_target_name", "heed::heed")
        self.cpp_info.set_property("pkg_config_name", "heed")
        self.cpp_info.system_libs = ["m", "pthread"]
