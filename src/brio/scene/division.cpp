#include "brio/scene/division.hpp"

#include "brio/core/error.hpp"
#include "brio/core/ranks.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/mesh/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace brio {
namespace {

/// Visits the vertices of each element of a body, with numbers among all vertices: visit(vertices, count).
template <class Visit>
void for_each_element(const Body& body, const Visit& visit) {
  std::array<int, 10> vertices;
  const int nodes = body.mesh.order() == 2 ? 10 : 4;
  for (int e = 0; e < body.mesh.tets(); ++e) {
    for (int a = 0; a < nodes; ++a) vertices[a] = body.first + (a < 4 ? body.mesh.T(e, a) : body.mesh.mid(e, a - 4));
    visit(vertices.data(), nodes);
  }
  for (Index s = 0; s < body.net.springs.rows(); ++s) {
    for (int a = 0; a < 2; ++a) vertices[a] = body.first + body.net.springs(s, a);
    visit(vertices.data(), 2);
  }
}

/// What this rank has to do with each element of a body.
class ElementShares {
 public:
  ElementShares(const Body& body, const std::vector<int>& owner) {
    const int rank = ranks().rank();
    share_.reserve(body.mesh.tets() + body.net.springs.rows());
    for_each_element(body, [&](const int* vertices, int count) {
      const bool here = std::any_of(vertices, vertices + count, [&](int v) { return owner[v] == rank; });
      share_.push_back(owner[vertices[0]] == rank ? kOwn : here ? kBorder : kElsewhere);
    });
  }
  bool is(int element, Share share) const { return share_[element] == (share == Share::own ? kOwn : kBorder); }

 private:
  enum : char { kElsewhere, kOwn, kBorder };
  std::vector<char> share_;
};

std::vector<ElasticPart> chosen(const std::vector<ElasticPart>& parts, const ElementShares& shares, Share share) {
  std::vector<ElasticPart> some;
  for (const ElasticPart& part : parts) {
    ElasticPart& own = some.emplace_back(ElasticPart{part.material, {}, {}});
    for (size_t i = 0; i < part.tets.size(); ++i) {
      if (!shares.is(part.tets[i], share)) continue;
      own.tets.push_back(part.tets[i]);
      if (!part.factor.empty()) own.factor.push_back(part.factor[i]);
    }
  }
  return some;
}

std::vector<MusclePart> chosen(std::vector<MusclePart> parts, const ElementShares& shares, Share share) {
  for (MusclePart& part : parts) std::erase_if(part.tets, [&](int e) { return !shares.is(e, share); });
  return parts;
}

void add_tetrahedra(const Body& body, int number, Share share, std::vector<ElasticPart> elastic_parts,
                    std::vector<MusclePart> muscles, NodalParts& parts, std::vector<const SolidEnergy*>& elastic) {
  auto energy = make_solid_energy(body.mesh, std::move(elastic_parts), body.first);
  if (share != Share::border) elastic.push_back(energy.get());
  parts.energies.emplace_back(std::move(energy), number, share);
  if (!muscles.empty())
    parts.energies.emplace_back(std::make_unique<MuscleEnergy>(body.mesh, std::move(muscles), body.first), number,
                                share);
}

void add_springs(const Body& body, int number, Share share, const ElementShares* shares, NodalParts& parts) {
  std::vector<int> some;
  for (Index s = 0; shares && s < body.net.springs.rows(); ++s)
    if (shares->is(static_cast<int>(s), share)) some.push_back(static_cast<int>(s));
  auto energy = shares ? std::make_unique<SpringEnergy>(body.net.X, body.net.springs(some, Eigen::all),
                                                        body.spring_stiffness(some), body.first)
                       : std::make_unique<SpringEnergy>(body.net.X, body.net.springs, body.spring_stiffness, body.first);
  parts.energies.emplace_back(std::move(energy), number, share);
}

/// A number that tells meshes apart: ranks may see different files under one name.
class Fingerprint {
 public:
  void add(const void* bytes, size_t count) {
    const auto* byte = static_cast<const unsigned char*>(bytes);
    for (size_t i = 0; i < count; ++i) value_ = (value_ ^ byte[i]) * 1099511628211u;  // FNV-1a
  }
  std::string text() const { return fmt::format("{:x}", value_); }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace

Division divide(const std::vector<Body>& bodies, const World& world) {
  if (!ranks().several()) return {};
  Fingerprint fingerprint;
  fingerprint.add(world.x0.data(), sizeof(double) * world.x0.size());
  int elements = 0;
  for (const Body& body : bodies) {
    elements += body.elements();
    for_each_element(body, [&](const int* vertices, int count) { fingerprint.add(vertices, sizeof(int) * count); });
  }
  require_same_on_all_ranks(fingerprint.text(), "what the bodies are made of");
  if (elements < ranks().count())
    throw Error("{} elements cannot be divided among {} ranks; start at most {}", elements, ranks().count(), elements);
  Partition partition(world.x0, ranks().count());
  ConnectedVertices connected(world.vertices());
  for (const Body& body : bodies)
    for_each_element(body, [&](const int* vertices, int count) {
      partition.add_element(vertices, count);
      connected.add_element(vertices, count);
    });
  return {partition.owners(), connected.pairs()};
}

void add_elastic(const Body& body, int number, const Division& division, NodalParts& parts,
                 std::vector<const SolidEnergy*>& elastic) {
  const bool tets = body.mesh.tets() > 0;
  if (!tets && body.net.vertices() == 0) return;
  if (division.owner.empty()) {
    if (tets)
      add_tetrahedra(body, number, Share::whole, body.elastic, body.muscles, parts, elastic);
    else
      add_springs(body, number, Share::whole, nullptr, parts);
    return;
  }
  const ElementShares shares(body, division.owner);
  for (const Share share : {Share::own, Share::border}) {
    if (tets)
      add_tetrahedra(body, number, share, chosen(body.elastic, shares, share), chosen(body.muscles, shares, share),
                     parts, elastic);
    else
      add_springs(body, number, share, &shares, parts);
  }
}

}  // namespace brio
