#include "brio/integrate/parts/measure_contacts.hpp"

#include <algorithm>
#include <tuple>

namespace brio {
namespace {

/// The two that a contact is between; whether they have changed places, so that the lesser one is the first.
struct ContactSides {
  int first, second;
  bool swapped;

  ContactSides(const ContactKey& key, const std::array<int, 4>& vertex, const ContactSystem& contacts) {
    const CollisionSurface& surface = *contacts.surfaces();
    first = surface.body_of(vertex[0]);
    second = key[0] < 0 ? surface.bodies() + contacts.obstacle_of(key[2]) : surface.body_of(vertex[3]);
    swapped = first > second;
    if (swapped) std::swap(first, second);
  }
};

ContactForces::Pair& pair_of(std::vector<ContactForces::Pair>& pairs, const ContactSides& sides) {
  const auto key = [](const ContactForces::Pair& p) { return std::tie(p.first, p.second); };
  ContactForces::Pair wanted;
  wanted.first = sides.first, wanted.second = sides.second;
  const auto at = std::lower_bound(pairs.begin(), pairs.end(), wanted,
                                   [&](const auto& a, const auto& b) { return key(a) < key(b); });
  if (at != pairs.end() && key(*at) == key(wanted)) return *at;
  return *pairs.insert(at, wanted);
}

}  // namespace

void measure_contacts(const ContactSolve& solve, const ContactSystem& contacts, ContactForces& forces) {
  forces.pairs.clear();
  forces.friction.clear();
  forces.vertex.setZero(contacts.surfaces()->rest().rows(), 3);
  const auto add = [&](ContactForces::Pair& pair, bool swapped, int vertex, int corner, int first_side, const Vec3& f) {
    forces.vertex.row(vertex) += f;
    if ((corner < first_side) != swapped) pair.force += f;
  };
  // Of a point and a triangle the point is the first side, of two edges one of them, of an obstacle the vertex.
  const auto first_corners = [](const ContactKey& key) {
    return key[0] == static_cast<int>(PairKind::edge_edge) ? 2 : 1;
  };
  for (const ActiveContact& contact : solve.contacts()) {
    const ContactSides sides(contact.key, contact.vertex, contacts);
    ContactForces::Pair& pair = pair_of(forces.pairs, sides);
    if (pair.contacts++ == 0 || contact.gap < pair.smallest_gap) pair.smallest_gap = contact.gap;
    pair.normal += contact.force;
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        add(pair, sides.swapped, v, i, first_corners(contact.key), -contact.gradient[i]);
  }
  for (const FrictionContact& contact : solve.rough()) {
    const ContactSides sides(contact.key, contact.vertex, contacts);
    ContactForces::Pair& pair = pair_of(forces.pairs, sides);
    const Vec3 force = solve.friction_force(contact);
    pair.friction += force.norm();
    if (contact.key[0] < 0)
      forces.friction.push_back({contacts.obstacle_of(contact.key[2]), contact.vertex[0], contact.weight[0] * force});
    for (int i = 0; i < 4; ++i)
      if (const int v = contact.vertex[i]; v >= 0)
        add(pair, sides.swapped, v, i, first_corners(contact.key), contact.weight[i] * force);
  }
  // A body that touches itself does so with no net force.
  for (ContactForces::Pair& pair : forces.pairs)
    if (pair.first == pair.second) pair.force.setZero();
}

}  // namespace brio
