#include "brio/live/message.hpp"

#include "brio/core/error.hpp"
#include "brio/scene/json_text.hpp"

#include <algorithm>
#include <cmath>

namespace brio {
namespace {

using Read = void (*)(const Json&, Message&);

double finite(const Json& json) {
  if (!json.is_number()) throw Error("expected a number");
  const double value = json.get<double>();
  if (!std::isfinite(value) || std::fabs(value) > 1e12) throw Error("the number is too large");
  return value;
}

int whole_number(const Json& json) {
  if (!json.is_number_integer()) throw Error("expected a whole number");
  const double value = finite(json);
  if (value < 0 || value > 1e9) throw Error("the number is out of range");
  return static_cast<int>(value);
}

Vec3 three_numbers(const Json& json) {
  if (!json.is_array() || json.size() != 3) throw Error("expected three numbers");
  return {finite(json[0]), finite(json[1]), finite(json[2])};
}

void read_pick(const Json& json, Message& message) {
  message.pick.run = whole_number(json.at("run"));
  const Json &vertices = json.at("vertices"), &weights = json.at("weights");
  if (!vertices.is_array() || !weights.is_array() || vertices.size() != weights.size() || vertices.empty() ||
      vertices.size() > 3)
    throw Error("vertices, weights: expected one to three of each");
  double sum = 0;
  for (size_t i = 0; i < vertices.size(); ++i) {
    message.pick.vertices.push_back(whole_number(vertices[i]));
    message.pick.weights.push_back(std::max(0.0, finite(weights[i])));
    sum += message.pick.weights.back();
  }
  if (!(sum > 1e-9)) throw Error("weights: they add up to nothing");
}

void read_target(const Json& json, Message& message) { message.vector = three_numbers(json.at("target")); }

void read_grab(const Json& json, Message& message) {
  read_pick(json, message);
  read_target(json, message);
}

void read_poke(const Json& json, Message& message) {
  read_pick(json, message);
  message.vector = three_numbers(json.at("direction"));
  if (!(message.vector.norm() > 1e-9)) throw Error("direction: it has no length");
}

void read_run_and_index(const Json& json, Message& message) {
  message.pick.run = whole_number(json.at("run"));
  message.index = whole_number(json.at("index"));
}

void read_set(const Json& json, Message& message) {
  read_run_and_index(json, message);
  message.value = json.at("value");
  if (message.value.is_structured() || message.value.is_null()) throw Error("value: expected a number, a word or true");
  if (message.value.is_number()) finite(message.value);
}

void read_cut(const Json& json, Message& message) {
  message.from = three_numbers(json.at("from"));
  message.vector = three_numbers(json.at("to"));
  message.eye = three_numbers(json.at("eye"));
}

void read_index(const Json& json, Message& message) { message.index = whole_number(json.at("index")); }

void read_seconds(const Json& json, Message& message) {
  message.number = finite(json.at("seconds"));
  if (message.number < 0) throw Error("seconds: must not be negative");
}

void read_factor(const Json& json, Message& message) {
  message.number = finite(json.at("factor"));
  if (!(message.number >= 1e-4 && message.number <= 1e4)) throw Error("factor: must be between 0.0001 and 10000");
}

void read_nothing(const Json&, Message&) {}

struct ActionRow {
  const char* name;
  Message::Action action;
  Read read;
};

constexpr ActionRow kActions[] = {
    {"grab", Message::Action::grab, read_grab},
    {"move", Message::Action::move, read_target},
    {"release", Message::Action::release, read_nothing},
    {"poke", Message::Action::poke, read_poke},
    {"pin", Message::Action::pin, read_pick},
    {"unpin", Message::Action::unpin, read_run_and_index},
    {"cut", Message::Action::cut, read_cut},
    {"play", Message::Action::play, read_nothing},
    {"pause", Message::Action::pause, read_nothing},
    {"step", Message::Action::step, read_nothing},
    {"reset", Message::Action::reset, read_nothing},
    {"rewind", Message::Action::rewind, read_seconds},
    {"speed", Message::Action::speed, read_factor},
    {"strength", Message::Action::strength, read_factor},
    {"set", Message::Action::set, read_set},
    {"choose", Message::Action::choose, read_index},
    {"end", Message::Action::end, read_nothing},
};

}  // namespace

Message parse_message(const std::string& text) {
  if (text.size() > kLongestMessage) throw Error("a message of {} bytes; at most {}", text.size(), kLongestMessage);
  const Json json = parse_json(text, "message");
  if (!json.is_object() || !json.contains("do") || !json["do"].is_string())
    throw Error("message: expected an object with \"do\"");
  const std::string name = json["do"].get<std::string>();
  for (const ActionRow& row : kActions) {
    if (name != row.name) continue;
    Message message;
    message.action = row.action;
    row.read(json, message);
    return message;
  }
  throw Error("message: there is no action \"{}\"", name.substr(0, 40));
}

}  // namespace brio
