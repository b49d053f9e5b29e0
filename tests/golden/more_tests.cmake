# What the compiler was told goes into the golden results: it decides over the last bits.
set(build "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
foreach(option BRIO_NATIVE BRIO_SUITESPARSE CMAKE_UNITY_BUILD)
  if(${option})
    string(APPEND build " ${option}")
  endif()
endforeach()
if(CMAKE_CXX_FLAGS)
  string(APPEND build " ${CMAKE_CXX_FLAGS}")
endif()
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/golden/golden_test.cpp PROPERTIES SKIP_PRECOMPILE_HEADERS ON
  COMPILE_DEFINITIONS "BRIO_GOLDEN_BUILD=\"${build}\";BRIO_GOLDEN_SANITIZE=\"${BRIO_SANITIZE}\"")
