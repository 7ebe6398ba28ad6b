# Run by cpack behind its archives. It packs files in the order that a folder lists them, which is the file system's; a
# tarball that is the same everywhere has them by name, and no user's name.
if(CPACK_GENERATOR STREQUAL TGZ)
  foreach(archive IN LISTS CPACK_PACKAGE_FILES)
    string(REGEX REPLACE "\\.gz$" "" tar ${archive})
    execute_process(COMMAND tar --sort=name --format=gnu --owner=root:0 --group=root:0 -C ${CPACK_TEMPORARY_DIRECTORY}/..
      -cf ${tar} ${CPACK_PACKAGE_FILE_NAME} COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -${CPACK_HONE_GZIP_LEVEL}nf ${tar} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
