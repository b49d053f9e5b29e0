#pragma once
// What an item has measured, kept in its folder: its statements can be judged anew without a run.

#include "brio/experiment/reproduce/gather.hpp"

namespace brio {

/// `fingerprint` tells whether the same would be measured again.
void keep_measured(Gathered measured, const std::string& fingerprint, const std::filesystem::path& folder);

/// Nothing where none was kept, or of another fingerprint.
std::optional<Gathered> kept_measured(const std::string& fingerprint, const std::filesystem::path& folder);

}  // namespace brio
