#pragma once
// Attachments from body to body: which point of the other one each vertex is tied to.

#include "brio/energy/tie_energy.hpp"
#include "brio/scene/world.hpp"

namespace brio {

/// A vertex is tied to the point of the other body that is where it is at rest: in the nearest tetrahedron or bone,
/// whose motion is continued beyond it, so that the spring has no length. Where the other is a net or a set of
/// vertices, to its nearest vertex, at the distance that they have. Throws Error for vertices that would be tied to
/// their own body.
std::vector<Tie> find_ties(const AttachmentSpec& attachment, const VertexSet& vertices, const std::vector<Body>& bodies,
                           const VertexSets& sets, const World& world);

}  // namespace brio
