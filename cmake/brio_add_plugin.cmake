# brio_add_plugin(NAME SOURCES...): a shared library that `brio --plugin` loads. It is compiled as a program that links
# brio::brio would be (headers, alignment), but has no copy of the library: it uses that of the program that loads it.
function(brio_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_compile_features(${name} PRIVATE cxx_std_20)
  target_include_directories(${name} SYSTEM PRIVATE $<TARGET_PROPERTY:brio::brio,INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${name} PRIVATE $<TARGET_PROPERTY:brio::brio,INTERFACE_COMPILE_DEFINITIONS>)
  target_compile_options(${name} PRIVATE $<TARGET_PROPERTY:brio::brio,INTERFACE_COMPILE_OPTIONS>)
  target_link_options(${name} PRIVATE $<TARGET_PROPERTY:brio::brio,INTERFACE_LINK_OPTIONS>)
  target_link_libraries(${name} PRIVATE Eigen3::Eigen TBB::tbb fmt::fmt)
endfunction()
