#include "brio/scene/reference.hpp"

#include "brio/core/join.hpp"
#include "brio/scene/default_text.hpp"
#include "brio/scene/object_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace brio {
namespace {

/// Values in code style, words as they are.
std::string in_code(const std::string& text) {
  return text == kRequired || text == kNoDefault ? text : "`" + text + "`";
}

/// A cell of a table must not hold the sign that ends it.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string line(const std::string& key, const std::string& takes, const std::string& fallback,
                 const std::string& doc) {
  return fmt::format("| `{}` | {} | {} | {} |\n", key, cell(takes), cell(fallback), cell(doc));
}

constexpr const char* kTableHead = "| key | takes | default | meaning |\n|---|---|---|---|\n";

std::string link_to(const std::string& kind) {
  std::string anchor = "table-of-" + kind + "s";
  std::replace(anchor.begin(), anchor.end(), ' ', '-');
  return fmt::format("[{}s](#{})", kind, anchor);
}

class Reference {
 public:
  std::string page(const ObjectSchema& root, const std::vector<Entry>& shapes) {
    out_ =
        "# Scene reference\n\nA scene is a JSON file (comments are allowed) in SI units; paths are relative to it. "
        "This page is generated: "
        "`brio schema --markdown > docs/scene-reference.md`. The same for editors, as a JSON schema: "
        "`schemas/scene.schema.json`.\n\n";
    add_section("", root);
    if (!shapes.empty()) tables_.push_back({"shape", "shape", "", shapes, ""});
    for (const Variant& table : tables_) add_table(table);
    return out_;
  }

 private:
  void add_section(const std::string& path, const ObjectSchema& shape) {
    out_ += kTableHead;
    for (const Variant& v : shape.variants) add_variant_line(v, shape.variants.size() > 1);
    for (const Field& field : shape.fields) add_field_line(path, field);
    out_ += "\n";
    for (const auto& group : shape.exactly_one)
      out_ += fmt::format("Exactly one of `{}` is given.\n\n", joined(group, "`, `"));
    if (!shape.at_least_one.empty())
      out_ += fmt::format("At least one of `{}` is given.\n\n", joined(shape.at_least_one, "`, `"));
    for (const Field& field : shape.fields)
      if (field.form != Field::Form::value) {
        const std::string child = path_below(path, field);
        out_ += fmt::format("## `{}`\n\n{}.\n\n", child, sentence(field.doc));
        add_section(child, field.shape);
      }
  }

  void add_variant_line(const Variant& variant, bool one_of_several) {
    const std::string fallback =
        variant.fallback.empty() ? (one_of_several ? "one of these" : "required") : "`\"" + variant.fallback + "\"`";
    if (variant.kind.empty()) {
      out_ += line(variant.tag, "a string", fallback, variant.doc);
      for (const Option& option : variant.options)
        out_ += line(option.key, option.expected(), in_code(default_text(option)),
                     fmt::format("with `{}`: {}", variant.tag, option.doc));
      return;
    }
    out_ += line(variant.tag, "one of the " + link_to(variant.kind), fallback,
                 variant.doc + "; its options are further keys here");
    for (const Variant& known : tables_)
      if (known.kind == variant.kind) return;
    tables_.push_back(variant);
  }

  void add_field_line(const std::string& path, const Field& field) {
    if (field.form == Field::Form::value) {
      out_ += line(field.key, field.expected(), in_code(default_text(field.accepted[0])), field.doc);
    } else {
      const char* takes = field.form == Field::Form::list  ? "a list of objects"
                          : field.form == Field::Form::map ? "an object of named objects"
                                                           : "an object";
      out_ += line(field.key, fmt::format("{}: see {}", takes, path_below(path, field)),
                   field.required ? "required" : "none", field.doc);
    }
  }

  void add_table(const Variant& table) {
    out_ += fmt::format("## Table of {}s\n\n", table.kind);
    for (const Entry& row : table.rows) {
      out_ += fmt::format("### {}\n\n{}.\n\n", row.name, sentence(row.summary));
      if (row.options.empty()) continue;
      out_ += kTableHead;
      for (const Option& option : row.options)
        out_ += line(option.key, option.expected(), in_code(default_text(option)), option.doc);
      out_ += "\n";
    }
  }

  static std::string path_below(const std::string& path, const Field& field) {
    const std::string own = path.empty() ? field.key : path + "." + field.key;
    return own + (field.form == Field::Form::list ? "[…]" : field.form == Field::Form::map ? ".…" : "");
  }

  static std::string sentence(std::string text) {
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    while (text.ends_with('.')) text.pop_back();
    return text;
  }

  std::string out_;
  std::vector<Variant> tables_;  ///< each kind once, in the order of appearance
};

}  // namespace

std::string scene_reference_markdown(const SceneTables& tables) {
  return Reference().page(scene_object_schema(tables), tables.shapes);
}

}  // namespace brio
