#include "brio/scene/body_records.hpp"

#include <fmt/format.h>

namespace brio {

BodyRecords::BodyRecords(const ParsedObject& scene) : scene_(scene), named_(scene.given.contains("bodies")) {
  if (named_) {
    for (const ParsedObject& body : scene.all("bodies")) records_.push_back(&body);
  } else {
    records_.push_back(&scene);
  }
}

const ParsedObject* BodyRecords::find(const std::string& name) const {
  for (const ParsedObject* body : records_)
    if (body->key == name) return body;
  return nullptr;
}

bool BodyRecords::on_circle(const ParsedObject& body) const {
  const ParsedObject* now = &body;
  for (size_t i = 0; i <= records_.size(); ++i) {
    if (!now->has("instance_of")) return false;
    now = find(now->get<std::string>("instance_of"));
    if (!now) return false;
  }
  return true;
}

const ParsedObject* BodyRecords::model(const ParsedObject& body) const {
  if (!named_ || !body.has("instance_of") || on_circle(body)) return nullptr;
  return find(body.get<std::string>("instance_of"));
}

const ParsedObject* BodyRecords::giver(const ParsedObject& body, const std::string& key) const {
  for (const ParsedObject* now = &body; now; now = model(*now))
    if (now->given.contains(key)) return now;
  return nullptr;
}

const ParsedObject* BodyRecords::one(const ParsedObject& body, const std::string& key) const {
  const ParsedObject* from = giver(body, key);
  return from ? from->one(key) : nullptr;
}

const std::vector<ParsedObject>& BodyRecords::all(const ParsedObject& body, const std::string& key) const {
  const ParsedObject* from = giver(body, key);
  return (from ? *from : body).all(key);
}

std::vector<std::string> BodyRecords::names(const ParsedObject& body) const {
  std::vector<std::string> names = {body.key};
  const ParsedObject* copies = body.one("copies");
  if (!copies || !copies->has("count")) return names;
  double count = 1;
  for (double n : copies->get<std::vector<double>>("count")) count *= n;
  if (count > kMostBodies) return names;  // refused, in check_bodies
  for (int i = 1; i <= count; ++i) names.push_back(fmt::format("{}-{}", body.key, i));
  return names;
}

std::set<std::string> BodyRecords::set_names() const {
  std::set<std::string> known;
  for (const ParsedObject& set : scene_.all("sets")) known.insert(set.key);
  if (!named_) return known;
  for (const ParsedObject* body : records_)
    for (const std::string& name : names(*body)) {
      known.insert(name);
      for (const ParsedObject& set : all(*body, "sets")) known.insert(name + "." + set.key);
    }
  return known;
}

}  // namespace brio
