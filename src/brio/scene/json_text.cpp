#include "brio/scene/json_text.hpp"

#include "brio/core/error.hpp"
#include "brio/scene/problems.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

namespace brio {
namespace {

/// "line 3, column 7" of the last byte that was read.
std::string line_and_column(const std::string& text, size_t bytes_read) {
  const size_t end = std::min(text.size(), bytes_read > 0 ? bytes_read - 1 : 0);
  const auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
  const size_t line_start = end > 0 ? text.rfind('\n', end - 1) + 1 : 0;  // npos + 1 is 0
  return fmt::format("line {}, column {}", line, end - line_start + 1);
}

/// nlohmann's explanation without its own prefix and position, and without a long quotation of the input.
std::string explanation(const std::string& what) {
  std::string text = what.substr(what.find("] ") + 2);
  if (text.starts_with("parse error")) text = text.substr(text.find(": ") + 2);
  const size_t quotation = text.find("; last read: ");
  if (quotation == std::string::npos) return shorten(text, 200);
  const size_t expected = text.rfind("; expected ");
  const std::string tail = expected != std::string::npos && expected > quotation ? text.substr(expected) : "";
  return text.substr(0, quotation) + shorten(text.substr(quotation, text.size() - quotation - tail.size())) + tail;
}

/// Walks over the text and tells how far it has come, which the callbacks of the parser do not.
struct CountingIterator {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  size_t* bytes_read;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at, ++*bytes_read;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
};

/// Builds the value while watching for what the grammar allows but a scene must not have.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Json root;
  std::string failure;
  size_t bytes_read = 0;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(size_t) override { return open(Json::object()); }
  bool start_array(size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& key) override {
    Json& object = *open_.back();
    if (object.contains(key)) {
      failure = fmt::format("the key \"{}\" is given twice in one object", shorten(key));
      return false;
    }
    slot_ = &object[key];
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) override {
    failure = explanation(error.what());
    return false;
  }

 private:
  Json* place(Json value) {
    Json* target = &root;
    if (!open_.empty() && open_.back()->is_array()) {
      open_.back()->push_back(nullptr);
      target = &open_.back()->back();
    } else if (!open_.empty()) {
      target = slot_;
    }
    *target = std::move(value);
    return target;
  }
  bool put(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (open_.size() == kDeepestNesting) {
      failure = fmt::format("nested deeper than {} levels", kDeepestNesting);
      return false;
    }
    open_.push_back(place(std::move(container)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;  // an array's last element may move, but only elements that are complete
  Json* slot_ = nullptr;
};

}  // namespace

Json parse_json(const std::string& text, const std::string& file) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
    throw Error("{}: is written in UTF-16; save it as UTF-8", file);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error("{}: the file is empty", file);
  Builder builder;
  const CountingIterator begin{text.data(), &builder.bytes_read};
  const CountingIterator end{text.data() + text.size(), &builder.bytes_read};
  const bool ignore_comments = true, whole_text = true;
  if (nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, whole_text,
                                ignore_comments)) {
    builder.root.sort_keys();
    return std::move(builder.root);
  }
  throw Error("{}: {}: {}", file, line_and_column(text, builder.bytes_read), builder.failure);
}

}  // namespace brio
