# libheed-images: its test_NAME.c programs are found like all others; this file links them, and adds the fuzz target.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

set(images heed-images-static)
if(HEED_TEST_SHARED)
  set(images heed-images-shared)
endif()
foreach(name test_images test_images_folder test_images_misuse test_images_oom test_images_transform)
  target_link_libraries(${name} PRIVATE ${images})
endforeach()
target_compile_definitions(test_images PRIVATE _DEFAULT_SOURCE) # mkstemps
