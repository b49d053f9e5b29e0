#pragma once
// The page of viewer/, built into the library.

#include <string_view>

namespace brio {

/// Stands in the page where the data go.
constexpr std::string_view kReportDataMark = "{{brio-data}}";

/// The whole page; the mark occurs in it exactly once.
std::string_view report_template();

}  // namespace brio
