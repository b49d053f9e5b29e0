#pragma once
// The page of a run that did not come to its end, or is still going on: the motion up to its newest checkpoint, and the
// curves as far as energy.csv has them. Of the files of the run nothing is changed but report.html.

#include <filesystem>
#include <string>

namespace brio {

/// Returns what there is on the page, in a sentence. Throws Error where no run was begun in the folder.
std::string write_report_of_folder(const std::filesystem::path& folder);

}  // namespace brio
