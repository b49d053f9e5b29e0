# The engine petsc: one program on 1, 2, 3 and 4 ranks of this machine, and another that looks at `brio` under mpirun from outside.
add_executable(test_petsc ${CMAKE_CURRENT_LIST_DIR}/mpi_main.cpp ${CMAKE_CURRENT_LIST_DIR}/ranks_test.cpp ${CMAKE_CURRENT_LIST_DIR}/coarse_factor_test.cpp
  ${CMAKE_CURRENT_LIST_DIR}/scenes_test.cpp ${CMAKE_CURRENT_LIST_DIR}/modes_test.cpp
  support/engine_cases.cpp $<TARGET_OBJECTS:brio_petsc_objects>)
target_link_libraries(test_petsc PRIVATE brio GTest::gtest nlohmann_json::nlohmann_json fmt::fmt brio_petsc_needs)
target_include_directories(test_petsc PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_compile_definitions(test_petsc PRIVATE BRIO_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_compile_options(test_petsc PRIVATE ${BRIO_WARNINGS} -O1)
if(BRIO_NATIVE)
  target_compile_options(test_petsc PRIVATE -march=native)
endif()

# Open MPI refuses root and more ranks than cores unless it is told; others do not know these variables.
set(launcher OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_mpi_yield_when_idle=1)
foreach(ranks 1 2 3 4)
  add_test(NAME petsc.on_${ranks}_ranks COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:test_petsc>)
  set_tests_properties(petsc.on_${ranks}_ranks PROPERTIES ENVIRONMENT "${launcher}" TIMEOUT 1800 PROCESSORS ${ranks})
endforeach()

add_executable(test_petsc_program ${CMAKE_CURRENT_LIST_DIR}/program_test.cpp)
target_link_libraries(test_petsc_program PRIVATE test_common)
list(JOIN launcher " " variables)  # here, since properties of tests that are discovered are no lists
target_compile_definitions(test_petsc_program PRIVATE
  BRIO_MPIRUN="env ${variables} ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG}")
add_dependencies(test_petsc_program brio_petsc brio_program)
gtest_discover_tests(test_petsc_program TEST_PREFIX "petsc." DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
  PROPERTIES TIMEOUT 900 PROCESSORS 2)
