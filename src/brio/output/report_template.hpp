#pragma once
// The pages of viewer/, built into the library.

#include <string_view>

namespace brio {

/// The placeholder for the data of a page.
constexpr std::string_view kReportDataMark = "{{brio-data}}";

/// Whole pages; the placeholder occurs in each exactly once.
std::string_view report_template();
std::string_view damping_template();
std::string_view curves_template();
std::string_view reproduce_template();
std::string_view live_template();

}  // namespace brio
