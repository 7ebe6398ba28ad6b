# What a project does whose objects, built without Hone, are to be the same in any folder: __FILE__ and debug information.
add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}=." "-ffile-prefix-map=${CMAKE_BINARY_DIR}=build")
