# One folder is one noun is one target, whose link list is the dependency rule.

include_guard(GLOBAL)

# hone_rooms(<folder>...): the folders that make up this build, leaves first.
function(hone_rooms)
  foreach(room IN LISTS ARGN)
    add_subdirectory(${room})
  endforeach()
endfunction()

# hone_room(<target> SOURCES <file>... [LINK <target>...] [PRIVATE_LINK <target>...])
# A static library with Hone's language level and warnings; headers are included from the repository's root.
function(hone_room target)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;LINK;PRIVATE_LINK")
  add_library(${target} STATIC ${room_SOURCES})
  target_include_directories(${target} PUBLIC ${Hone_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${room_LINK} PRIVATE ${room_PRIVATE_LINK})
  hone_language(${target})
endfunction()

function(hone_language target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-missing-field-initializers
    # g++ 12 sees overlap in "literal" + std::string (GCC bug 105329).
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
endfunction()

# hone_cold(<target>): code that waits for compilers, Clang or a model. Building it takes a third less time at -O1, and
# nobody notices when it runs; the launcher and the judge keep what the build type says.
function(hone_cold target)
  if(HONE_QUICK_BUILD)
    # When all is known that the room's own file asks of it. EVAL, since a deferred call's arguments are read late.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL hone_quick ${target})")
  else()
    hone_cold_level(${target} -O1)
  endif()
endfunction()

function(hone_cold_level target level)
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>>:${level}>)
endfunction()

# hone_quick(<target>): in a quick build, cold code is compiled at -O0 behind the headers that most rooms include, which
# declare JSON's templates `extern`: instantiating those is a third of a room's compile. Rooms behind Clang's headers walk
# over its trees in templates of theirs, and stay at -O1.
function(hone_quick target)
  get_target_property(own ${target} PRECOMPILE_HEADERS)
  get_target_property(reused ${target} PRECOMPILE_HEADERS_REUSE_FROM)
  if(own OR reused)
    hone_cold_level(${target} -O1)
    return()
  endif()
  if(NOT TARGET hone_quick_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/quick_headers.cpp "")
    add_library(hone_quick_headers STATIC ${CMAKE_BINARY_DIR}/quick_headers.cpp)
    target_link_libraries(hone_quick_headers PRIVATE nlohmann_json::nlohmann_json tl::expected)
    hone_language(hone_quick_headers)
    hone_quick_options(hone_quick_headers)
    target_precompile_headers(hone_quick_headers PRIVATE
      <algorithm> <filesystem> <fstream> <functional> <map> <memory> <optional> <set> <string> <vector>
      <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp> ${Hone_SOURCE_DIR}/cmake_module/private/json_instantiated_once.h)
  endif()
  hone_json_instances(${target})
  hone_quick_options(${target})
  target_precompile_headers(${target} REUSE_FROM hone_quick_headers)
endfunction()

# What a precompiled header and who reuses it must have in common.
function(hone_quick_options target)
  hone_cold_level(${target} -O0)
  target_link_libraries(${target} PRIVATE fmt::fmt) # for its macro alone, where the room does without
  hone_llvm_definitions(${target})
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE") # -fPIE would take headers of its own
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  # Behind a precompiled header, g++ takes the unit's own source for a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# hone_llvm_definitions(<target>): the macros that LLVM's headers want. With others, a precompiled header could not be used
# by code that includes those and by code that does not.
function(hone_llvm_definitions target)
  target_compile_definitions(${target} PRIVATE
    _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
endfunction()

# hone_json_instances(<target>): what a target takes of JSON's templates where json_instantiated_once.h declares them.
function(hone_json_instances target)
  if(NOT TARGET hone_json_instances)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/json_instances.cpp CONTENT
      "#define HONE_INSTANTIATED\n#include \"cmake_module/private/json_instantiated_once.h\"\n")
    add_library(hone_json_instances STATIC ${CMAKE_BINARY_DIR}/json_instances.cpp)
    target_link_libraries(hone_json_instances PRIVATE nlohmann_json::nlohmann_json)
    target_include_directories(hone_json_instances PRIVATE ${Hone_SOURCE_DIR})
    hone_language(hone_json_instances)
  endif()
  target_link_libraries(${target} PRIVATE hone_json_instances)
endfunction()

# hone_test(<name> SOURCES <file>... [LINK <target>...] [LABELS <label>...] [TIMEOUT <seconds>] [COST <seconds>]
#           [SERIAL <filter>] [TOGETHER <case>=<filter>...])
# One GoogleTest program; each TEST becomes a ctest case. Those that GoogleTest's filter names in SERIAL run with no other
# beside them: they use up what all sandboxes share. Those in TOGETHER become one case of that name, in one process, since
# they share what takes them most of their time. Tests of a higher COST begin first, so that none runs alone at the end.
function(hone_test name)
  cmake_parse_arguments(PARSE_ARGV 1 test "" "TIMEOUT;COST;SERIAL" "SOURCES;LINK;LABELS;TOGETHER")
  add_executable(${name} ${test_SOURCES})
  target_link_libraries(${name} PRIVATE ${test_LINK} GTest::gmock GTest::gtest_main)
  hone_test_pch(${name})
  if(NOT test_TIMEOUT)
    set(test_TIMEOUT 120)
  endif()
  if(NOT test_COST)
    set(test_COST 1)
  endif()
  set(properties DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${test_TIMEOUT} COST ${test_COST})
  set(apart ${test_SERIAL})
  foreach(together IN LISTS test_TOGETHER)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched "${together}")
    add_test(NAME ${CMAKE_MATCH_1} COMMAND ${name} "--gtest_filter=${CMAKE_MATCH_2}")
    set_tests_properties(${CMAKE_MATCH_1} PROPERTIES TIMEOUT 600 COST 10 LABELS "${test_LABELS}")
    list(APPEND apart "${CMAKE_MATCH_2}")
  endforeach()
  if(test_SERIAL)
    gtest_discover_tests(${name} TEST_FILTER "${test_SERIAL}" TEST_LIST ${name}_SERIAL ${properties} RUN_SERIAL TRUE)
  endif()
  list(JOIN apart ":" apart)
  if(apart)
    gtest_discover_tests(${name} TEST_FILTER "-${apart}" ${properties})
  else()
    gtest_discover_tests(${name} ${properties})
  endif()
  # Behind the lists of tests that these write: as a property of theirs, only one label would survive.
  set(labels ${CMAKE_CURRENT_BINARY_DIR}/${name}_labels.cmake)
  file(WRITE ${labels} "foreach(list IN ITEMS ${name}_TESTS ${name}_SERIAL)
  if(\${list})
    set_tests_properties(\${\${list}} PROPERTIES LABELS \"${test_LABELS}\")
  endif()
endforeach()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${labels})
endfunction()

# hone_test_pch(<target>): a test program is compiled as hone_test_options() says, with GoogleTest's headers precompiled
# once for all, and what all make of their templates compiled once: both take longer than the tests. Not for libraries,
# whose code is placed otherwise (-fPIC, not -fPIE).
function(hone_test_pch target)
  if(NOT TARGET hone_test_headers)
    file(WRITE ${CMAKE_BINARY_DIR}/test_headers.cpp "int main() {}\n")
    add_executable(hone_test_headers ${CMAKE_BINARY_DIR}/test_headers.cpp)
    target_link_libraries(hone_test_headers PRIVATE GTest::gmock nlohmann_json::nlohmann_json)
    hone_test_options(hone_test_headers)
    target_precompile_headers(hone_test_headers PRIVATE
      <gmock/gmock.h> <gtest/gtest.h> <nlohmann/json.hpp> <algorithm> <filesystem> <fstream> <map> <string> <vector>
      ${Hone_SOURCE_DIR}/tests/instantiated_once.h)
    target_include_directories(hone_test_headers PRIVATE ${Hone_SOURCE_DIR})
    add_library(hone_test_instances STATIC ${Hone_SOURCE_DIR}/tests/instantiated_once.cpp)
    target_link_libraries(hone_test_instances PRIVATE GTest::gmock nlohmann_json::nlohmann_json)
    hone_json_instances(hone_test_instances)
    target_include_directories(hone_test_instances PRIVATE ${Hone_SOURCE_DIR})
    hone_test_options(hone_test_instances)
  endif()
  target_link_libraries(${target} PRIVATE hone_test_instances)
  hone_test_options(${target})
  target_precompile_headers(${target} REUSE_FROM hone_test_headers)
endfunction()

# hone_test_options(<target>): compiled without optimization, which takes a quarter less time than -O1. What tests test
# is in libraries of its own.
function(hone_test_options target)
  hone_language(${target})
  target_compile_options(${target} PRIVATE $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>>:-O0>)
  hone_llvm_definitions(${target})
endfunction()
