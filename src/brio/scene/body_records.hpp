#pragma once
// The bodies of a scene file as they were read, before anything is built: what each of them has, its own keys and those
// of the body that it is an instance of.

#include "brio/scene/parsed_object.hpp"

#include <set>
#include <string>
#include <vector>

namespace brio {

constexpr double kMostBodies = 10000;  // that one entry of "bodies" may make by "copies"

class BodyRecords {
 public:
  /// The scene must outlive the result.
  explicit BodyRecords(const ParsedObject& scene);

  /// One record per body; copies share one. Where the file has no "bodies", the scene itself is the body.
  const std::vector<const ParsedObject*>& records() const { return records_; }
  bool named() const { return named_; }  ///< whether the scene has "bodies"
  /// The record of that name, or null.
  const ParsedObject* find(const std::string& name) const;
  /// The record in which the body's key is given: its own, or one that it is an instance of; null where it has none.
  const ParsedObject* giver(const ParsedObject& body, const std::string& key) const;
  bool has(const ParsedObject& body, const std::string& key) const { return giver(body, key) != nullptr; }
  /// The object of a key, or null.
  const ParsedObject* one(const ParsedObject& body, const std::string& key) const;
  /// The objects of a key; none when it is not given.
  const std::vector<ParsedObject>& all(const ParsedObject& body, const std::string& key) const;
  /// The record that "instance_of" leads to, or null; null on a circle, too.
  const ParsedObject* model(const ParsedObject& body) const;
  /// Names of the bodies that a record makes: its own, and those of its copies.
  std::vector<std::string> names(const ParsedObject& body) const;
  /// What the other sections may name: sets, "body.set", and bodies.
  std::set<std::string> set_names() const;

 private:
  bool on_circle(const ParsedObject& body) const;

  const ParsedObject& scene_;
  bool named_;
  std::vector<const ParsedObject*> records_;
};

}  // namespace brio
