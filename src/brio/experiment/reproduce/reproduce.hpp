#pragma once
// One item of a paper, from its runs to its verdict; and the page on which all of them stand.

#include "brio/core/json.hpp"
#include "brio/experiment/reproduce/gather.hpp"

namespace brio {

/// Everything the page shows of the item. Writes FOLDER/NAME/result.json, and the bodies beside it. An item that cannot
/// be run says so in place of a verdict ("failed") and is not kept. Nothing when interrupted.
std::optional<Json> reproduce(const PaperItem& item, const ReproduceOptions& options,
                              const std::filesystem::path& folder, const ProgressListener& listener);

/// What an earlier call has measured, judged as the item asks now; if neither what it measures nor its scenes nor the
/// options have changed since.
std::optional<Json> earlier_result(const PaperItem& item, const ReproduceOptions& options,
                                   const std::filesystem::path& folder);

/// index.html and reproduce.json; items without a result count as still to come.
void write_reproductions(const std::filesystem::path& folder, const std::vector<Paper>& papers,
                         const ReproduceOptions& options, const std::map<std::string, Json>& results);

}  // namespace brio
