// The keys of "contact".

#include "brio/scene/object_schema.hpp"

namespace brio {

static Field any_of_one(Option option) { return any_of({std::move(option)}); }

ObjectSchema contact_schema() {
  const ObjectSchema pair{
      {any_of_one(Option::names("between", "the two: names of bodies, or of sets of vertices where they are ignored")),
       any_of_one(Option::boolean("ignore", "whether they pass through each other").with_default(false)),
       any_of_one(Option::number("friction", "", "Coulomb's coefficient between them, in place of the one of all")
                 .at_least(0)
                 .optional())},
      {},
      {}};
  Field pairs;
  pairs.form = Field::Form::list;
  pairs.key = "pairs";
  pairs.doc = "what is different between two of the bodies";
  pairs.shape = pair;
  return {{any_of_one(Option::boolean("self", "whether bodies touch themselves, too").with_default(true)),
           any_of_one(Option::number("distance", "m",
                                "gap between two surfaces below which they push each other; if left out, a tenth of "
                                "the edges of the finer one")
                     .above(0)
                     .optional()),
           any_of_one(Option::number("stiffness", "Pa/m",
                                "pressure per depth of contact; if left out, the softer body's modulus over an edge "
                                "length")
                     .above(0)
                     .optional()),
           any_of_one(Option::number("thickness", "m", "of cloth and ropes: their surface is half of it away from them")
                     .at_least(0)
                     .with_default(0.0)),
           any_of_one(Option::number("friction", "", "Coulomb's coefficient between bodies").at_least(0).with_default(0.0)),
           pairs},
          {},
          {}};
}

}  // namespace brio
