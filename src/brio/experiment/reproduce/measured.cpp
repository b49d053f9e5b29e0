#include "brio/experiment/reproduce/measured.hpp"

#include "brio/core/archive.hpp"
#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/core/text_file.hpp"

namespace brio {
namespace {

constexpr const char* kFile = "measured.bin";

/// A map as its keys, one by one, each with what `value` does to its value.
template <class Map, class Visit>
void visit_map(Archive& archive, Map& map, const Visit& visit) {
  size_t size = map.size();
  archive(size);
  if (!archive.loading()) {
    for (auto& [key, value] : map) {
      std::string name = key;
      archive(name);
      visit(value);
    }
    return;
  }
  for (size_t i = 0; i < size; ++i) {
    std::string name;
    archive(name);
    visit(map[name]);
  }
}

void visit_numbers(Archive& archive, std::map<std::string, double>& numbers) {
  visit_map(archive, numbers, [&](double& number) { archive(number); });
}

void visit_findings(Archive& archive, Findings& findings) {
  visit_numbers(archive, findings.numbers);
  visit_map(archive, findings.curves, [&](SampledCurve& curve) { archive(curve.x, curve.y); });
  archive(findings.trouble);
}

void visit_note(Archive& archive, RunNote& note) {
  archive(note.label, note.scene, note.method, note.vertices, note.elements, note.steps, note.h, note.status,
          note.message);
}

void visit(Archive& archive, std::string& fingerprint, Gathered& measured) {
  archive.mark("measured 1");
  archive(fingerprint);
  visit_map(archive, measured.evidence, [&](Findings& findings) { visit_findings(archive, findings); });
  size_t rounds = measured.rounds.size(), runs = measured.runs.size();
  archive(rounds, runs, measured.page);
  measured.rounds.resize(rounds);
  measured.runs.resize(runs);
  for (auto& round : measured.rounds)
    visit_map(archive, round, [&](std::map<std::string, double>& numbers) { visit_numbers(archive, numbers); });
  for (RunNote& note : measured.runs) visit_note(archive, note);
  archive.mark("end");
}

}  // namespace

void keep_measured(Gathered measured, const std::string& fingerprint, const std::filesystem::path& folder) {
  Archive archive;
  std::string text = fingerprint;
  visit(archive, text, measured);
  write_whole_file(folder / kFile, [&](OutputFile& file) { file.write(archive.bytes()); });
}

std::optional<Gathered> kept_measured(const std::string& fingerprint, const std::filesystem::path& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(folder / kFile, ignored)) return {};
  const std::string bytes = read_text(folder / kFile);
  try {
    Archive archive(bytes);
    std::string of;
    Gathered measured;
    visit(archive, of, measured);
    if (of == fingerprint) return measured;
  } catch (const Error&) {  // the program was stopped while it wrote, or is another one: it is measured anew
  }
  return {};
}

}  // namespace brio
