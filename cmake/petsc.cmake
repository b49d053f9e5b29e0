# The engine "petsc", a plug-in beside the program: `brio` loads it when it is asked for. The only part that knows MPI, PETSc and SLEPc.
if(NOT BRIO_SUITESPARSE)
  message(FATAL_ERROR "BRIO_PETSC needs BRIO_SUITESPARSE: the coarse matrix is factored with CHOLMOD's analysis")
endif()
find_package(PkgConfig REQUIRED)
find_package(MPI REQUIRED COMPONENTS CXX)
pkg_check_modules(PETSC REQUIRED IMPORTED_TARGET petsc>=3.18)
pkg_check_modules(SLEPC IMPORTED_TARGET slepc)

# What it is compiled and linked with.
add_library(brio_petsc_needs INTERFACE)
target_compile_features(brio_petsc_needs INTERFACE cxx_std_20)
target_compile_definitions(brio_petsc_needs INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
target_link_libraries(brio_petsc_needs INTERFACE Eigen3::Eigen fmt::fmt TBB::tbb PkgConfig::PETSC MPI::MPI_CXX)
if(SLEPC_FOUND)
  target_link_libraries(brio_petsc_needs INTERFACE PkgConfig::SLEPC)
  target_compile_definitions(brio_petsc_needs INTERFACE BRIO_SLEPC)
endif()

file(GLOB petsc_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/brio/petsc/*.cpp)
list(FILTER petsc_sources EXCLUDE REGEX "plugin.cpp$")
add_library(brio_petsc_objects OBJECT ${petsc_sources})  # for the plug-in and for the tests
group_by_folder(brio_petsc_objects)
add_library(brio_petsc MODULE ${PROJECT_SOURCE_DIR}/src/brio/petsc/plugin.cpp $<TARGET_OBJECTS:brio_petsc_objects>)
set_target_properties(brio_petsc PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
foreach(part brio_petsc_objects brio_petsc)
  target_link_libraries(${part} PRIVATE brio_petsc_needs)
  # The program that loads it has the library; here are only its headers, and templates compiled as in it.
  target_include_directories(${part} PRIVATE $<TARGET_PROPERTY:brio,INTERFACE_INCLUDE_DIRECTORIES> ${PROJECT_BINARY_DIR}/include)
  target_compile_definitions(${part} PRIVATE $<TARGET_PROPERTY:brio,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${part} PRIVATE ${BRIO_WARNINGS}
    $<TARGET_PROPERTY:brio,INTERFACE_COMPILE_OPTIONS>)
  target_link_options(${part} PRIVATE $<TARGET_PROPERTY:brio,INTERFACE_LINK_OPTIONS>)
  if(BRIO_NATIVE)
    target_compile_options(${part} PRIVATE -march=native)
  endif()
  add_dependencies(${part} brio)  # for brio/abi.hpp
endforeach()
install(TARGETS brio_petsc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/brio)
