#pragma once
// What a browser may say: one JSON object with an action and its values. Everything is checked here for its kind and
// size; whether it makes sense in the scene is the session's to say. Nothing in a message names a file or a key.

#include "brio/core/json.hpp"
#include "brio/live/live_run.hpp"

#include <string>

namespace brio {

constexpr size_t kLongestMessage = 4096;  // [byte]

struct Message {
  enum class Action {
    grab,
    move,
    release,
    poke,
    pin,
    unpin,
    cut,
    play,
    pause,
    step,
    reset,
    rewind,
    speed,
    strength,
    set,
    choose,
    end
  };
  Action action = Action::pause;
  Pick pick;                                     ///< of grab, poke and pin
  Vec3 vector = Vec3::Zero();                    ///< target of grab and move [m], direction of poke, end of a cut [m]
  Vec3 from = Vec3::Zero(), eye = Vec3::Zero();  ///< of a cut: where it begins, and who looks [m]
  double number = 0;                             ///< seconds of rewind; factor of speed and strength
  int index = 0;                                 ///< of a pin, of a parameter of the run, of a scene of the gallery
  Json value;                                    ///< of a parameter
};

/// Throws Error for everything that is no message.
Message parse_message(const std::string& text);

}  // namespace brio
