# What prompt/ and knowledge/ add to the room: prompt_sources. The templates and notes travel inside the program.
find_path(KAINJOW_MUSTACHE_INCLUDE kainjow/mustache.hpp REQUIRED)
add_library(kainjow::mustache INTERFACE IMPORTED GLOBAL)
target_include_directories(kainjow::mustache INTERFACE ${KAINJOW_MUSTACHE_INCLUDE})

function(embed_texts function output)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/prompt/embed_texts.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DFUNCTION=${function} -DOUTPUT=${output} -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
endfunction()

file(GLOB templates CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/prompt/templates/*.mustache)
file(GLOB notes CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/knowledge/*.md)
embed_texts(embedded_templates ${CMAKE_CURRENT_BINARY_DIR}/embedded_templates.cpp ${templates})
embed_texts(embedded_notes ${CMAKE_CURRENT_BINARY_DIR}/embedded_notes.cpp ${notes})

set(prompt_sources
  prompt/advice.cpp prompt/code_text.cpp prompt/compose.cpp prompt/fenced_text.cpp prompt/figures.cpp
  prompt/json_text.cpp prompt/labels.cpp prompt/patch.cpp prompt/render.cpp prompt/reply.cpp prompt/tunable_search.cpp
  prompt/tunables.cpp prompt/view.cpp
  knowledge/classify.cpp knowledge/knowledge.cpp
  ${CMAKE_CURRENT_BINARY_DIR}/embedded_templates.cpp ${CMAKE_CURRENT_BINARY_DIR}/embedded_notes.cpp)
