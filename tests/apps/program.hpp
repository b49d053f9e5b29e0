#pragma once
// The program as a shell sees it.

#include "brio/core/text_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace brio::testing {

inline const std::string kScenes = BRIO_SOURCE_DIR "/scenes/";

struct Outcome {
  int code;
  std::string out, err;
};

std::filesystem::path fresh_folder(const std::string& name);

Outcome brio(const std::string& arguments);

int lines_of(const std::filesystem::path& file);

}  // namespace brio::testing
