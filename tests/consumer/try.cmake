# Installs brio into a fresh folder, builds a program of the project SOURCE against it and runs it with a scene. Where
# the project has a scene of its own, the installed brio runs it first with the project's plug-in, and the program gets
# the scene and the results as well.
# cmake -DBUILD=build -DSOURCE=tests/consumer -DPROGRAM=consumer -DSCENE=scene.json -DWORK=folder -P try.cmake
set(brio ${WORK}/prefix/bin/brio)
set(plugin_run "${brio};--version")
set(arguments ${SCENE})
if(EXISTS ${SOURCE}/scene.json)
  set(plugin_run "${brio};run;${SOURCE}/scene.json;--plugin;${WORK}/build/libmine.so;-o;${WORK}/out")
  list(APPEND arguments ${SOURCE}/scene.json ${WORK}/out)
endif()
file(REMOVE_RECURSE ${WORK})
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${WORK}/prefix"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK}/build;-G;Ninja;-DCMAKE_BUILD_TYPE=Release;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "${CMAKE_COMMAND};--build;${WORK}/build"
    "${plugin_run}"
    "${WORK}/build/${PROGRAM};${arguments}")
  execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${command}: exit ${code}\n${output}")
  endif()
endforeach()
message(STATUS "${output}")
