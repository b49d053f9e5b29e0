# The decomposition of 3x3 matrices under the library's own flags, with and without fused multiply-adds.
foreach(contract fast off)
  add_executable(svd3_contract_${contract} ${folder}/svd3_flags.cpp)
  target_include_directories(svd3_contract_${contract} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(svd3_contract_${contract} PRIVATE Eigen3::Eigen)
  target_compile_features(svd3_contract_${contract} PRIVATE cxx_std_20)
  target_compile_options(svd3_contract_${contract} PRIVATE ${BRIO_WARNINGS} -O3 -fno-math-errno -fno-trapping-math
    -ffp-contract=${contract} $<$<BOOL:${BRIO_NATIVE}>:-march=native>)
  add_test(NAME linalg.svd3_contract_${contract} COMMAND svd3_contract_${contract})
endforeach()
