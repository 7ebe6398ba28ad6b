# What the report's page draws with: libraries from Debian packages, bundled when Hone is built, with their licenses.
#
# hone_browser_libraries(<scripts> <licenses>): sets lists of files, both in the order in which they are loaded.
include_guard(GLOBAL)

set(HONE_BROWSER_ROOT /usr/share CACHE PATH "Where nodejs/ and doc/ of the browser libraries' packages are")

# Package and file below nodejs/.
set(HONE_BROWSER_LIBRARIES
  node-highlight.js=highlight.js/lib/highlight.js
  node-highlight.js=highlight.js/lib/languages/cpp.js
  node-diff=diff/dist/diff.js
  node-d3-array=d3-array/dist/d3-array.min.js
  node-d3-collection=d3-collection/dist/d3-collection.min.js
  node-d3-color=d3-color/dist/d3-color.min.js
  node-d3-path=d3-path/dist/d3-path.min.js
  node-d3-format=d3-format/dist/d3-format.min.js
  node-d3-time=d3-time/dist/d3-time.min.js
  node-d3-time-format=d3-time-format/dist/d3-time-format.min.js
  node-d3-interpolate=d3-interpolate/dist/d3-interpolate.min.js
  node-d3-scale=d3-scale/dist/d3-scale.min.js
  node-d3-selection=d3-selection/dist/d3-selection.min.js
  node-d3-axis=d3-axis/dist/d3-axis.min.js
  node-d3-shape=d3-shape/dist/d3-shape.min.js)

function(hone_browser_libraries scripts licenses)
  set(files "")
  set(texts "")
  set(missing "")
  foreach(library IN LISTS HONE_BROWSER_LIBRARIES)
    string(REGEX MATCH "^([^=]+)=(.+)$" matched ${library})
    set(package ${CMAKE_MATCH_1})
    set(script ${HONE_BROWSER_ROOT}/nodejs/${CMAKE_MATCH_2})
    set(license ${HONE_BROWSER_ROOT}/doc/${package}/copyright)
    if(NOT EXISTS ${script} OR NOT EXISTS ${license})
      list(APPEND missing ${package})
      continue()
    endif()
    list(APPEND files ${script})
    # Their names say whose they are.
    string(REPLACE "." "-" name ${package})
    configure_file(${license} ${CMAKE_CURRENT_BINARY_DIR}/licenses/${name}.txt COPYONLY)
    list(APPEND texts ${CMAKE_CURRENT_BINARY_DIR}/licenses/${name}.txt)
  endforeach()
  if(missing)
    list(REMOVE_DUPLICATES missing)
    list(JOIN missing " " missing)
    message(FATAL_ERROR "The report's page needs libraries that are not under ${HONE_BROWSER_ROOT}: install ${missing} "
      "(tests/prepare does), or name another place with -DHONE_BROWSER_ROOT=…")
  endif()
  list(REMOVE_DUPLICATES texts)
  set(${scripts} ${files} PARENT_SCOPE)
  set(${licenses} ${texts} PARENT_SCOPE)
endfunction()
