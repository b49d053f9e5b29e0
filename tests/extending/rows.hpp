#pragma once
// The rows of this project, for the plug-in and for the program.

#include <brio/brio.hpp>

namespace brio {

LoadEntry swirl_entry();
FrameFormatEntry xyz_entry();
std::string xyz_text(const MatrixX3d& x);  ///< as the format "xyz" writes it

void register_rows(Registry& registry);

}  // namespace brio
