# hone_target(): the one call that a project makes. Included by HoneConfig.cmake (install and build tree) and by
# add_subdirectory(); docs/cmake.md is the manual.

include_guard(GLOBAL)

set(HONE_MODE "apply" CACHE STRING
  "off: builds are those without Hone; apply: link what the lock file names; tune: search first for what it lacks")
set_property(CACHE HONE_MODE PROPERTY STRINGS off apply tune)
option(HONE_STRICT "A kernel whose locked variant is not compiled in is an error" OFF)

# hone_target(<target> [MODE off|apply|tune] [STRATEGY s] [PROPOSER p] [TRIALS n] [BUDGET t] [LOCK file])
function(hone_target target)
  cmake_parse_arguments(PARSE_ARGV 1 hone "" "MODE;STRATEGY;PROPOSER;TRIALS;BUDGET;LOCK" "")
  _hone_check_call("${target}")
  _hone_resolve_mode(mode "${hone_MODE}")
  if(mode STREQUAL "off")
    return()  # off is absent: nothing at all is changed
  endif()

  get_property(launcher GLOBAL PROPERTY HONE_LAUNCHER)
  if(NOT TARGET hone AND NOT EXISTS "${launcher}")
    message(FATAL_ERROR "hone_target(${target}): there is no ${launcher}. Build or install Hone first, or set HONE_MODE=off.")
  endif()

  set(settings "${CMAKE_BINARY_DIR}/hone/${target}.json")
  _hone_write_settings("${settings}" "${target}" "${mode}")
  set_target_properties(${target} PROPERTIES HONE_SETTINGS "${settings}" EXPORT_COMPILE_COMMANDS ON)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wno-unknown-pragmas>
    $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=-Wno-unknown-pragmas>
    $<$<COMPILE_LANG_AND_ID:CUDA,Clang>:-Wno-unknown-pragmas>)
  if(TARGET hone)
    add_dependencies(${target} hone hone-tool hone-worker hone-runner)
  endif()
  _hone_add_commands(${target})

  # At the end of the directory sources, properties and ccache's launcher are what they will be. EVAL: a deferred call
  # looks its arguments up when it runs, and these are this function's.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _hone_attach [==[${target}]==] [==[${launcher}]==] [==[${settings}]==])")
endfunction()

# Everything that can be wrong with a call, before anything is changed. A macro's worth of function: reads hone_*.
function(_hone_check_call target)
  set(where "hone_target(${target})")
  if(hone_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where}: unknown argument '${hone_UNPARSED_ARGUMENTS}'; "
      "expected MODE, STRATEGY, PROPOSER, TRIALS, BUDGET or LOCK.")
  endif()
  if(hone_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where}: no value behind ${hone_KEYWORDS_MISSING_VALUES}.")
  endif()
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${where}: no such target; call it after add_executable() or add_library().")
  endif()
  get_target_property(aliased ${target} ALIASED_TARGET)
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(aliased)
    message(FATAL_ERROR "${where}: an alias of ${aliased}; name that target.")
  endif()
  if(imported)
    message(FATAL_ERROR "${where}: an imported target is not compiled here.")
  endif()
  if(NOT type MATCHES "^(EXECUTABLE|STATIC_LIBRARY|SHARED_LIBRARY|MODULE_LIBRARY|OBJECT_LIBRARY)$")
    message(FATAL_ERROR "${where}: a target of type ${type} compiles nothing; "
      "call it for the executables and libraries that hold the kernels.")
  endif()
  get_target_property(attached ${target} HONE_SETTINGS)
  if(attached)
    message(FATAL_ERROR "${where}: called twice for one target.")
  endif()
  if(DEFINED hone_TRIALS AND NOT hone_TRIALS MATCHES "^[1-9][0-9]*$")
    message(FATAL_ERROR "${where}: TRIALS is '${hone_TRIALS}'; expected a whole number from 1.")
  endif()
  if(DEFINED hone_BUDGET AND NOT hone_BUDGET MATCHES "^([0-9]+h)?([0-9]+m)?([0-9]+s?)?$")
    message(FATAL_ERROR "${where}: BUDGET is '${hone_BUDGET}'; expected a time such as 90s, 10m or 1h30m.")
  endif()
endfunction()

# The keyword, else HONE_MODE; HONE_MODE=off beats both.
function(_hone_resolve_mode variable keyword)
  string(TOLOWER "${HONE_MODE}" mode)
  if(NOT mode STREQUAL "off" AND keyword)
    string(TOLOWER "${keyword}" mode)
  endif()
  if(NOT mode MATCHES "^(off|apply|tune)$")
    message(FATAL_ERROR "hone_target(${target}): the mode is '${mode}'; expected off, apply or tune.")
  endif()
  set(${variable} ${mode} PARENT_SCOPE)
endfunction()

function(_hone_json_string variable value)
  string(REPLACE "\\" "\\\\" value "${value}")
  string(REPLACE "\"" "\\\"" value "${value}")
  set(${variable} "\"${value}\"" PARENT_SCOPE)
endfunction()

# <build>/hone/<target>.json, read by every command (tool/project/project.h). Each annotated object depends on it.
function(_hone_write_settings file target mode)
  set(lock "${PROJECT_SOURCE_DIR}/hone.lock")
  if(DEFINED hone_LOCK)
    cmake_path(ABSOLUTE_PATH hone_LOCK BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE lock)
  endif()
  # A lock file that is absent can be no object's prerequisite: ninja would rebuild for ever. So its coming (by tuning,
  # or with a git pull) makes CMake run again, which changes this file.
  string(REGEX REPLACE "([][*?])" "[\\1]" pattern "${lock}")
  file(GLOB present CONFIGURE_DEPENDS "${pattern}")
  if(hone_STRATEGY MATCHES "\\.json$")  # a file of the project's; commands run elsewhere
    cmake_path(ABSOLUTE_PATH hone_STRATEGY BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  endif()
  set(values "")
  foreach(pair IN ITEMS "target=${target}" "lock=${lock}" "mode=${mode}" "strategy=${hone_STRATEGY}"
                        "proposer=${hone_PROPOSER}" "budget=${hone_BUDGET}")
    string(REGEX MATCH "^[^=]*" name "${pair}")
    string(LENGTH "${name}=" length)
    string(SUBSTRING "${pair}" ${length} -1 value)
    if(NOT value STREQUAL "")
      _hone_json_string(value "${value}")
      string(APPEND values "  \"${name}\": ${value},\n")
    endif()
  endforeach()
  if(DEFINED hone_TRIALS)
    string(APPEND values "  \"trials\": ${hone_TRIALS},\n")
  endif()
  set(strict $<IF:$<BOOL:${HONE_STRICT}>,true,false>)
  set(present $<IF:$<BOOL:${present}>,true,false>)
  file(GENERATE OUTPUT "${file}" CONTENT "{\n${values}  \"strict\": ${strict},\n  \"lock_present\": ${present}\n}\n")
endfunction()

# hone-tune, hone-tune-<target>, hone-verify. They come after the target itself: its generated sources and headers are
# there then, whatever makes them.
function(_hone_add_commands target)
  if(CMAKE_CURRENT_BINARY_DIR MATCHES "[#<>]")  # CMake refuses any custom target there
    message(STATUS "hone_target(${target}): CMake makes no targets such as hone-tune in a build folder with #, < or > "
      "in its name; call hone tune -p \"${CMAKE_BINARY_DIR}\" yourself.")
    return()
  endif()
  get_property(launcher GLOBAL PROPERTY HONE_LAUNCHER)
  get_property(verbs GLOBAL PROPERTY HONE_PROJECT_COMMANDS)
  # A search that was killed goes on; a kernel that cannot gain is no failed build.
  set(options_of_tune --resume --allow-none)
  foreach(verb IN LISTS verbs)
    if(NOT TARGET hone-${verb})
      add_custom_target(hone-${verb} COMMAND "${launcher}" ${verb} -p "${CMAKE_BINARY_DIR}" ${options_of_${verb}}
        WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" USES_TERMINAL VERBATIM)
    endif()
    add_dependencies(hone-${verb} ${target})
  endforeach()
  add_custom_target(hone-tune-${target} COMMAND "${launcher}" tune -p "${CMAKE_BINARY_DIR}" --target ${target}
      ${options_of_tune}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" USES_TERMINAL VERBATIM)
  add_dependencies(hone-tune-${target} ${target})
endfunction()

# Runs when the directory is complete.
function(_hone_attach target launcher settings)
  _hone_check_sources(${target})
  foreach(language IN ITEMS C CXX CUDA)
    # In front of what stands there: `hone cc … -- ccache g++ …` lets ccache see what is really compiled.
    get_target_property(present ${target} ${language}_COMPILER_LAUNCHER)
    if(NOT present)
      set(present "")
    endif()
    set_property(TARGET ${target} PROPERTY ${language}_COMPILER_LAUNCHER
      "${launcher}" cc --settings "${settings}" -- ${present})
  endforeach()
  get_target_property(target_rule ${target} RULE_LAUNCH_COMPILE)
  get_property(global_rule GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
  if(target_rule OR global_rule)
    message(WARNING "hone_target(${target}): RULE_LAUNCH_COMPILE is set, and what it names takes hone for the compiler. "
      "Use CMAKE_<LANG>_COMPILER_LAUNCHER for ccache and the like.")
  endif()
endfunction()

# An annotated source that CMake merges into a unity source is not the main file of any compile, so it is taken out.
function(_hone_check_sources target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  get_target_property(unity ${target} UNITY_BUILD)
  set(compiled FALSE)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<")
      set(compiled TRUE)  # known only at generate time
      continue()
    endif()
    _hone_source_language(language "${source}" ${target})
    if(NOT language MATCHES "^(C|CXX|CUDA)$")
      continue()
    endif()
    set(compiled TRUE)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}" OUTPUT_VARIABLE path)
    if(unity AND EXISTS "${path}")
      file(STRINGS "${path}" annotated REGEX "(^|[^A-Za-z0-9_])hone([^A-Za-z0-9_]|$)" LIMIT_COUNT 1)
      if(annotated)
        set_source_files_properties("${path}" TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
  if(NOT compiled)
    message(FATAL_ERROR "hone_target(${target}): the target has no C, C++ or CUDA source.")
  endif()
endfunction()

function(_hone_source_language variable source target)
  get_source_file_property(language "${source}" TARGET_DIRECTORY ${target} LANGUAGE)
  cmake_path(GET source EXTENSION LAST_ONLY extension)
  string(REGEX REPLACE "^\\." "" extension "${extension}")
  if(NOT language AND extension IN_LIST CMAKE_CXX_SOURCE_FILE_EXTENSIONS)
    set(language CXX)
  elseif(NOT language AND extension STREQUAL "c")
    set(language C)
  elseif(NOT language AND extension STREQUAL "cu")
    set(language CUDA)
  endif()
  set(${variable} "${language}" PARENT_SCOPE)
endfunction()
