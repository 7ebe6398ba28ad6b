# A .deb and a tarball of the install tree: `cmake --build <build> --target package`, or from nothing
# `cmake --workflow --preset package`. docs/install.md is the user's page.
#
# Two packings of one build give the same bytes: every time in them is SOURCE_DATE_EPOCH, or else the last commit's.
set(HONE_PACKAGE_CONTACT "The authors of Hone <authors@hone.invalid>" CACHE STRING "Who answers for packages: name <address>")

set(CPACK_GENERATOR TGZ)
find_program(HONE_DPKG_DEB dpkg-deb)
if(HONE_DPKG_DEB)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_PACKAGE_NAME hone)
set(CPACK_PACKAGE_VENDOR Hone)
set(CPACK_PACKAGE_CONTACT "${HONE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "kernel tuner that lives in a CMake build")
set(CPACK_PACKAGE_DESCRIPTION "Hone makes hot C and C++ functions and CUDA kernels faster while a project
builds. One pragma marks a function. A search writes faster versions of it, a
judge tests and times them in a sandbox, and builds link what a committed
lock file names.")
set(CPACK_RESOURCE_FILE_LICENSE ${Hone_SOURCE_DIR}/LICENSE)
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" system)
set(CPACK_PACKAGE_FILE_NAME hone-${Hone_VERSION}-${system})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PROJECT_CONFIG_FILE ${Hone_SOURCE_DIR}/cmake_module/package/begin.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${Hone_SOURCE_DIR}/cmake_module/package/finish.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${Hone_SOURCE_DIR}/cmake_module/package/sort.cmake)
set(CPACK_HONE_GZIP_LEVEL 9)
set(CPACK_HONE_SOURCE ${Hone_SOURCE_DIR})
set(CPACK_HONE_DOCDIR ${HONE_INSTALL_DOCDIR})
set(CPACK_HONE_MANDIR ${CMAKE_INSTALL_MANDIR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4 (>= 7.87)") # loaded when it is needed (tool/os/http/libcurl.h): no program names it
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ | c++-compiler, cmake (>= 3.25), ninja-build")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang, valgrind")
# A package of the sources is a git archive.
set(CPACK_SOURCE_GENERATOR "")
include(CPack)
