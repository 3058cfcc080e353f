# packaging/nix/default.nix - builds heed from the sources that contain this file: nix-build packaging/nix
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
{ pkgs ? import <nixpkgs> { } }:

let
  header = builtins.readFile ../../include/heed/heed.h;
  version = builtins.head (builtins.match ".*\n#define HEED_VERSION \"([^\"]*)\".*" header);
in
pkgs.stdenv.mkDerivation {
  pname = "heed";
  inherit version;
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = [ pkgs.cmake pkgs.pkg-config ];
  buildInputs = [ pkgs.jansson pkgs.stb pkgs.zlib ];
  cmakeFlags = [
    "-DHEED_BUILD_TESTS=OFF"
    "-DHEED_BUILD_EXAMPLES=OFF"
    "-DHEED_BUILD_BENCH=OFF"
    "-DHEED_MPI=OFF"
    "-DHEED_TENSORBOARD=OFF"
    "-DHEED_ONNX=OFF"
    "-DHEED_IMAGES=OFF"
    "-DHEED_STB_DIR=${pkgs.stb}/include/stb"
    "-DHEED_FONT=${pkgs.dejavu_fonts}/share/fonts/truetype/DejaVuSans.ttf"
  ];

  meta = {
    description = "Deep-learning library for C";
    license = pkgs.lib.licenses.mit;
    platforms = pkgs.lib.platforms.linux;
  };
}
