# hone_embed_texts(<target> <function> <file>...): the files' texts travel inside the program, as what <function>() returns
# (embedded.h).
include_guard(GLOBAL)
set(HONE_EMBED_TEXTS ${CMAKE_CURRENT_LIST_DIR}/embed_texts.cmake)

function(hone_embed_texts target function)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DFUNCTION=${function} -DOUTPUT=${output} -P ${HONE_EMBED_TEXTS}
    DEPENDS ${ARGN} ${HONE_EMBED_TEXTS}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
