# Compiles the sources of each folder, with those below it, as one file: the headers that they share are read, and the
# templates made, once for all of them, which is most of the work. Groups are the rooms of the library (src/brio/mesh)
# and other folders, so that a new file changes no other group; that no two files of a group have a name of their own in
# common is tested (tests/architecture).
function(group_by_folder target)
  if(NOT BRIO_GROUPED)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  foreach(source ${sources})
    file(RELATIVE_PATH place ${PROJECT_SOURCE_DIR} ${source})
    get_filename_component(folder ${place} DIRECTORY)
    string(REGEX REPLACE "^(src/brio/[^/]+)/.*" "\\1" folder ${folder})
    string(MAKE_C_IDENTIFIER ${folder} group)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
  endforeach()
endfunction()
