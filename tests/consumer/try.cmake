# Installs brio into a fresh folder, builds a program of the project SOURCE against it and runs it with a scene.
# cmake -DBUILD=build -DSOURCE=tests/consumer -DPROGRAM=consumer -DSCENE=scene.json -DWORK=folder -P try.cmake
file(REMOVE_RECURSE ${WORK})
foreach(command
    "${CMAKE_COMMAND};--install;${BUILD};--prefix;${WORK}/prefix"
    "${CMAKE_COMMAND};-S;${SOURCE};-B;${WORK}/build;-G;Ninja;-DCMAKE_BUILD_TYPE=Release;-DCMAKE_PREFIX_PATH=${WORK}/prefix"
    "${CMAKE_COMMAND};--build;${WORK}/build"
    "${WORK}/build/${PROGRAM};${SCENE}"
    "${WORK}/prefix/bin/brio;--version")
  execute_process(COMMAND ${command} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${command}: exit ${code}\n${output}")
  endif()
endforeach()
message(STATUS "${output}")
