#pragma once
// What a plug-in defines: a shared library with rows for brio's tables, loaded by `brio --plugin libmine.so`. It uses
// the functions of the program that loads it, so it is built without libbrio.a; the CMake function brio_add_plugin of
// the installed package knows how.
//
//   BRIO_PLUGIN(registry) {
//     registry.add_isotropic_law(tissue_entry());
//   }

#include "brio/extend/registry.hpp"

#include <brio/abi.hpp>
#include <filesystem>

/// What brio and a plug-in must have in common: the version, the text of the public headers, the alignment of Eigen's
/// matrices and the C++ library's ABI.
#define BRIO_TEXT_OF(x) #x
#define BRIO_TEXT(x) BRIO_TEXT_OF(x)
#define BRIO_ABI                                                                        \
  BRIO_HEADERS ", Eigen alignment " BRIO_TEXT(EIGEN_MAX_ALIGN_BYTES) " and " BRIO_TEXT( \
      EIGEN_MAX_STATIC_ALIGN_BYTES) ", std::string ABI " BRIO_TEXT(_GLIBCXX_USE_CXX11_ABI)

#define BRIO_PLUGIN(registry)                                                                          \
  extern "C" __attribute__((visibility("default"))) const char* brio_plugin_abi() { return BRIO_ABI; } \
  extern "C" __attribute__((visibility("default"))) void brio_plugin_register(brio::Registry& registry)
