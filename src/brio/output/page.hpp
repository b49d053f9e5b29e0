#pragma once
// Self-contained web pages: a page of viewer/ whose placeholder is replaced by data.

#include "brio/core/file.hpp"
#include "brio/core/json.hpp"
#include "brio/output/base64.hpp"
#include "brio/output/recording.hpp"

#include <string>

namespace brio {

/// Writes the page with the output of `fill` in place of the placeholder. A file of that name is always complete.
void write_page(const std::filesystem::path& path, std::string_view page, const std::function<void(OutputFile&)>& fill);

/// JSON that may stand in a <script>: no "<" can open or close an element, and bytes that are not UTF-8 are replaced.
std::string script_text(const Json& json);

/// The bytes of the numbers as base64.
template <class T>
std::string encode(const T* data, size_t count) {
  return base64(std::as_bytes(std::span(data, count)));
}

Json vec_json(const Vec3& v);
Json placement_json(const Placement& p);
Json obstacle_json(const DrawnObstacle& o);
Json drawn_part_json(const DrawnPart& part);

/// Writes the object `head` with the drawn part and the frames of the recording added to it.
void write_recording(OutputFile& file, Json head, const Recording& recording);

/// The same for what stands around it: `head` with a list of `count` objects under `key`, which `item` writes.
void write_with_list(OutputFile& file, const Json& head, std::string_view key, size_t count,
                     const std::function<void(size_t)>& item);

}  // namespace brio
