# Run by cpack between the staged install tree and the archive: what Debian's policy wants beside it, and times.
set(stage ${CPACK_TEMPORARY_DIRECTORY})

function(hone_compress)
  # Without name and time, so that the bytes are the same again.
  execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

if(CPACK_GENERATOR STREQUAL DEB)
  set(docs ${stage}/usr/${CPACK_HONE_DOCDIR})
  file(REMOVE ${docs}/LICENSE) # Debian has the text; the copyright file names it
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # of SOURCE_DATE_EPOCH
  file(WRITE ${docs}/changelog "hone (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * What changed is in docs/NEWS.md of the sources.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  file(GLOB pages ${stage}/usr/${CPACK_HONE_MANDIR}/man*/*.[1-9])
  hone_compress(${docs}/changelog ${pages})
  configure_file(${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${stage}/usr/share/lintian/overrides/hone COPYONLY)
endif()

execute_process(COMMAND find ${stage} -exec touch -h -d @$ENV{SOURCE_DATE_EPOCH} {} + COMMAND_ERROR_IS_FATAL ANY)
