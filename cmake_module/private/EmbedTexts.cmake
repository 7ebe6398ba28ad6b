# hone_embed_texts(<target> <namespace> <function> <file>...): the files' texts travel inside the program, as what
# <namespace>::<function>() returns (tool/base/embedded_text.h).
include_guard(GLOBAL)

function(hone_embed_texts target namespace function)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_texts.cmake)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${function}.cpp)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARGN}" -DNAMESPACE=${namespace} -DFUNCTION=${function} -DOUTPUT=${output} -P ${script}
    DEPENDS ${ARGN} ${script}
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
