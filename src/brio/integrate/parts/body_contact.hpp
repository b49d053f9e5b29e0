#pragma once
// Bodies that touch each other or themselves, for every method: the method steps the bodies without any contact, and
// where surfaces meet on the way the end of the step is found again with contact (contact_solve.hpp). Obstacles and their
// friction are met there, too, so that a body between an obstacle and another body feels both at once.

#include "brio/integrate/integrator.hpp"

namespace brio {

inline constexpr Extra kContactIterations{"contact_iterations", "Newton iterations of steps in which bodies touch", ""};
inline constexpr Extra kContactPieces{
    "contact_pieces",
    "pieces that steps were taken in because bodies that touch were not brought to their places, or gained energy", ""};
inline constexpr Extra kHeldBack{
    "contact_held_back",
    "steps that ended safe but before bodies that touch had come to their places",
    "",
    Extra::Over::sum,
    Extra::Value::count,
    {},
    {"with bodies held back at each other", 0.05, "smaller steps, or a larger contact.distance"}};
inline constexpr Extra kContactGained{
    "contact_gained",
    "pieces, however small, in which bodies that touch gained energy",
    "",
    Extra::Over::sum,
    Extra::Value::count,
    {},
    {"with energy gained from contact", 0.05, "smaller steps"}};
inline constexpr Extra kMostContacts{"most_contacts", "pairs of surfaces that pushed each other in one step", "",
                                     Extra::Over::largest};

/// For systems with surfaces that touch (ContactSystem::surfaces()). `keeps_energy`: whether the method does; contact
/// then does so, too, where the steps resolve it.
std::unique_ptr<Integrator> with_body_contact(std::unique_ptr<Integrator> method, bool keeps_energy);

}  // namespace brio
