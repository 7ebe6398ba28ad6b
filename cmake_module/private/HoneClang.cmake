# hone_clang: Clang 19's parser as one INTERFACE target, linked statically.
#
# Static because `hone cc` runs once per annotated file: it starts in 3 ms where libclang-cpp.so takes 25-45 ms, and the
# result runs on a machine without LLVM. Distributions' exported clang* targets carry the shared library (and libz3), so
# the archives are named here. --gc-sections leaves out what the parser never reaches.
#
# Sets HONE_CLANG_RESOURCE_DIR: the folder of Clang's builtin headers, always passed explicitly.

include_guard(GLOBAL)

find_program(HONE_LLVM_CONFIG NAMES llvm-config-19 llvm-config
  HINTS ${HONE_LLVM_ROOT}/bin ENV LLVM_ROOT PATH_SUFFIXES bin
  DOC "llvm-config of LLVM 19")
if(NOT HONE_LLVM_CONFIG)
  message(FATAL_ERROR "Hone needs Clang 19's libraries, but llvm-config-19 was not found. "
    "Debian: apt-get install llvm-19-dev libclang-19-dev libzstd-dev; elsewhere set HONE_LLVM_CONFIG.")
endif()

function(hone_llvm_config variable)
  execute_process(COMMAND ${HONE_LLVM_CONFIG} ${ARGN}
    OUTPUT_VARIABLE output OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

hone_llvm_config(HONE_LLVM_VERSION --version)
if(NOT HONE_LLVM_VERSION MATCHES "^19\\.")
  message(FATAL_ERROR "Hone needs LLVM 19, but ${HONE_LLVM_CONFIG} is ${HONE_LLVM_VERSION}; set HONE_LLVM_CONFIG.")
endif()
hone_llvm_config(hone_llvm_include --includedir)
hone_llvm_config(hone_llvm_libdir --libdir)
hone_llvm_config(hone_llvm_libs --link-static --libs
  frontendopenmp frontendoffloading option bitreader bitstreamreader mcparser core targetparser windowsdriver profiledata
  support)
hone_llvm_config(hone_llvm_system_libs --link-static --system-libs support)
separate_arguments(hone_llvm_libs UNIX_COMMAND "${hone_llvm_libs}")
list(TRANSFORM hone_llvm_libs REPLACE "^-l(.+)$" "${hone_llvm_libdir}/lib\\1.a")
separate_arguments(hone_llvm_system_libs UNIX_COMMAND "${hone_llvm_system_libs}")
list(FILTER hone_llvm_system_libs EXCLUDE REGEX "libz3|xml2")  # nothing that is kept refers to them

set(HONE_CLANG_RESOURCE_DIR "${hone_llvm_libdir}/clang/19" CACHE PATH "Clang 19's resource folder (has include/stddef.h)")
if(NOT EXISTS "${HONE_CLANG_RESOURCE_DIR}/include/stddef.h")
  message(FATAL_ERROR "Clang's builtin headers are not under ${HONE_CLANG_RESOURCE_DIR}. "
    "Debian: apt-get install libclang-common-19-dev; elsewhere set HONE_CLANG_RESOURCE_DIR.")
endif()

set(hone_clang_libs "")
foreach(lib IN ITEMS Format ToolingInclusions ToolingCore Frontend Driver Serialization Parse Sema APINotes Analysis ASTMatchers Edit Rewrite AST Lex Basic Support)
  list(APPEND hone_clang_libs "${hone_llvm_libdir}/libclang${lib}.a")
endforeach()

add_library(hone_clang INTERFACE)
target_include_directories(hone_clang SYSTEM INTERFACE ${hone_llvm_include})
target_compile_definitions(hone_clang INTERFACE _GNU_SOURCE __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
# LLVM's headers follow unwritten rules of their own; the warnings they raise are not ours to mend.
target_compile_options(hone_clang INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-unused-parameter;-Wno-comment>)
target_link_libraries(hone_clang INTERFACE ${hone_clang_libs} ${hone_llvm_libs} ${hone_llvm_system_libs})
target_link_options(hone_clang INTERFACE -Wl,--gc-sections)

# hone_clang_pch(<target>): precompiles the heavy headers once (with the first target) and reuses them.
function(hone_clang_pch target)
  if(TARGET hone_frontend_parse AND NOT target STREQUAL hone_frontend_parse)
    target_precompile_headers(${target} REUSE_FROM hone_frontend_parse)
  else()
    target_precompile_headers(${target} PRIVATE ${Hone_SOURCE_DIR}/tool/frontend/parse/clang_headers.h)
  endif()
endfunction()
