#pragma once
// A folder that goes away with the test, and files as strings.

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace brio::testing {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

template <class T>
T read_at(const std::string& bytes, size_t offset) {
  T value{};
  if (offset + sizeof(T) > bytes.size()) {
    ADD_FAILURE() << "the file ends before byte " << offset + sizeof(T);
    return value;
  }
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// The text of the exception that `action` throws.
template <class Exception, class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Exception& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace brio::testing
