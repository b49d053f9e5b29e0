// Vega's .veg (vegafem.blogspot.com): sections that begin with an asterisk, numbers separated by blanks or commas.
// Regions join a set of elements with a material.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_builder.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace brio {
namespace {

constexpr CellType kTet{0, 3, 4, 4, "tetrahedra"}, kCube{0, 3, 8, 8, "hexahedra"};
constexpr std::string_view kAll = "allElements";  // Vega's name for the set that every file has

std::string commas_to_blanks(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

/// How brio names the set of a region so that its number comes back: "region_3" or "region_3:liver".
struct NumberedName {
  int number = 0;  ///< 0 for another set
  std::string name;
};
NumberedName numbered(const std::string& set) {
  constexpr std::string_view kPrefix = "region_";
  if (!set.starts_with(kPrefix)) return {};
  NumberedName found;
  const char* const end = set.data() + set.size();
  const auto [after, error] = std::from_chars(set.data() + kPrefix.size(), end, found.number);
  if (error != std::errc() || found.number <= 0 || (after != end && *after != ':')) return {};
  if (after != end) found.name.assign(after + 1, end);
  return found;
}

constexpr int kDeepestInclude = 8;
constexpr size_t kLongestInclude = size_t{1} << 31;

/// The text with the files that *INCLUDE names in place of these lines.
std::string with_includes(MeshSource source, int depth = 0) {
  constexpr std::string_view kInclude = "*INCLUDE";
  if (source.bytes.find(kInclude) == std::string::npos) return std::move(source.bytes);
  std::string text;
  for (size_t at = 0; at < source.bytes.size();) {
    const size_t end = std::min(source.bytes.find('\n', at), source.bytes.size());
    const std::string_view line = std::string_view(source.bytes).substr(at, end - at);
    at = end + 1;
    const size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || !line.substr(first).starts_with(kInclude)) {
      text.append(line).append("\n");
      continue;
    }
    std::string_view name = line.substr(first + kInclude.size());
    name = name.substr(std::min(name.find_first_not_of(" \t,\""), name.size()));
    name = name.substr(0, name.find_last_not_of(" \t\r,\"") + 1);
    if (name.empty() || name.front() == '/' || name.find("..") != std::string_view::npos) {
      throw Error("{}: *INCLUDE {}: name a file in the same folder", source.name, excerpt(name));
    }
    if (depth == kDeepestInclude)
      throw Error("{}: *INCLUDE goes more than {} files deep", source.name, kDeepestInclude);
    if (!source.in_folder) throw Error("{}: *INCLUDE {}: other files are not at hand", source.name, excerpt(name));
    text.append(with_includes(source.in_folder(std::string(name)), depth + 1)).append("\n");
    if (text.size() > kLongestInclude) throw Error("{}: its *INCLUDEs are too long", source.name);
  }
  return text;
}

class VegaReader {
 public:
  VegaReader(const std::string& name, std::string text) : in_(commas_to_blanks(std::move(text)), name, '#') {}

  LoadedMesh read() {
    more_ = in_.next_line();
    while (more_) {
      if (!in_.line().starts_with('*')) in_.fail("expected a section such as *VERTICES, found {}", excerpt(in_.line()));
      read_section(std::string(in_.word("section")));
    }
    if (tets_.empty()) throw Error("{}: has no *ELEMENTS of type TET or CUBIC", in_.path());
    assign_regions();
    return finish();
  }

 private:
  struct Region {
    std::string set, material;
    int number = 0;
    std::string name = {};
  };

  void read_section(const std::string& section) {
    if (section == "*VERTICES") {
      read_vertices();
    } else if (section == "*ELEMENTS") {
      read_elements();
    } else if (section == "*SET") {
      read_set();
    } else if (section == "*MATERIAL") {
      read_material();
    } else if (section == "*REGION") {
      while (next_row()) {
        const std::string set(in_.word("name of the set")), material(in_.word("name of the material"));
        regions_.push_back({set, material});
      }
    } else {
      messages_.insert(fmt::format("section {} is not read", excerpt(section)));
      while (next_row()) {
      }
    }
  }

  /// Goes to the next line; false when it begins another section or the file is over.
  bool next_row() {
    more_ = in_.next_line();
    return more_ && !in_.line().starts_with('*');
  }

  void need_row(std::string_view what) {
    if (!next_row()) in_.fail("{} should follow; is the file complete?", what);
  }

  void read_vertices() {
    if (builder_.vertices() > 0) in_.fail("*VERTICES come a second time");
    need_row("number of vertices");
    const std::int64_t count = in_.count("number of vertices", 8);
    in_.integer("dimension", 3, 3);
    builder_.reserve_vertices(static_cast<size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      need_row("vertices");
      if (i == 0) first_ = in_.integer("number of the first vertex", 0, 1);
      if (i > 0) in_.integer("number of the vertex", first_ + i, first_ + i);
      const double x = in_.real("x"), y = in_.real("y"), z = in_.real("z");
      in_.end_of_line();
      builder_.add_vertex({x, y, z});
    }
    more_ = in_.next_line();
  }

  void read_elements() {
    if (!tets_.empty()) in_.fail("*ELEMENTS come a second time");
    if (in_.line_is_used_up()) need_row("type of the elements");
    const std::string_view type = in_.word("type of the elements");
    if (type == "CUBIC" || type == "HEX") {
      type_ = &kCube;
    } else if (type != "TET" && type != "TETS") {
      in_.fail("elements of type {}: only TET and CUBIC are read", excerpt(type));
    }
    need_row("number of elements");
    const std::int64_t count = in_.count("number of elements", 10);
    in_.integer("vertices of an element", type_->corners, type_->corners);
    tets_.reserve(static_cast<size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      need_row("elements");
      in_.integer("number of the element", first_ + i, first_ + i);
      auto& cell = tets_.emplace_back();
      for (int c = 0; c < type_->corners; ++c) {
        cell[c] =
            static_cast<int>(in_.integer("vertex of the element", first_, first_ + builder_.vertices() - 1) - first_);
      }
      in_.end_of_line();
    }
    more_ = in_.next_line();
  }

  void read_set() {
    const std::string name(in_.word("name of the set"));  // what follows it on the line is a remark
    if (name == kAll || sets_.contains(name)) in_.fail("set {} comes a second time", excerpt(name));
    auto& set = sets_[name];
    while (next_row()) {
      while (!in_.line_is_used_up()) {
        const std::int64_t element = in_.integer("element", first_, std::numeric_limits<int>::max());
        set.push_back(static_cast<int>(element - first_));
      }
    }
  }

  void read_material() {
    FileMaterial material;
    material.name = in_.word("name of the material");
    need_row("values of the material");
    const std::string_view kind = in_.word("kind of material");
    if (kind == "ENU") {
      material.rho = in_.real("density");
      material.E = in_.real("Young's modulus");
      material.nu = in_.real("Poisson's ratio");
      in_.end_of_line();
    } else {
      messages_.insert(
          fmt::format("material {}: values of kind {} are not read, only ENU", excerpt(material.name), excerpt(kind)));
    }
    if (!materials_.emplace(material.name, material).second) {
      in_.fail("material {} comes a second time", excerpt(material.name));
    }
    more_ = in_.next_line();
  }

  /// Regions are counted from 1; where two hold an element, the later one wins. Going backwards, each set needs to be
  /// looked at only once, however many regions name it.
  void assign_regions() {
    region_of_.assign(tets_.size(), 0);
    for (size_t r = 0; r < regions_.size(); ++r) {
      const NumberedName own = numbered(regions_[r].set);
      regions_[r].number = own.number > 0 ? own.number : static_cast<int>(r) + 1;
      regions_[r].name = own.number > 0 ? own.name : regions_[r].set;
    }
    std::set<std::string> seen;
    for (size_t r = regions_.size(); r-- > 0;) {
      const std::string& name = regions_[r].set;
      if (!materials_.contains(regions_[r].material)) {
        throw Error("{}: region {}: there is no material {}", in_.path(), r + 1, excerpt(regions_[r].material));
      }
      if (name != kAll && !sets_.contains(name)) {
        throw Error("{}: region {}: there is no set {}", in_.path(), r + 1, excerpt(name));
      }
      if (!seen.insert(name).second) continue;
      const auto take = [&](int& region) {
        if (region == 0) region = regions_[r].number;
      };
      if (name == kAll) {
        for (int& region : region_of_) take(region);
      } else {
        for (int element : sets_[name]) take(region_of_[checked(element, name)]);
      }
    }
    // Sets that brio wrote for regions whose material it did not know.
    for (const auto& [name, elements] : sets_) {
      const NumberedName own = numbered(name);
      if (own.number == 0 || seen.contains(name)) continue;
      for (int element : elements)
        if (int& region = region_of_[checked(element, name)]; region == 0) region = own.number;
      regions_.push_back({name, "", own.number, own.name});
    }
  }

  int checked(int element, const std::string& set) const {
    if (element < static_cast<int>(tets_.size())) return element;
    throw Error("{}: set {} names element {}, but there are {}", in_.path(), excerpt(set), element + first_,
                tets_.size());
  }

  std::span<const int> corners_of(size_t element) const { return {tets_[element].data(), size_t(type_->corners)}; }

  LoadedMesh finish() {
    for (size_t t = 0; t < tets_.size(); ++t) builder_.add_cell(*type_, corners_of(t), builder_.group(region_of_[t]));
    const std::set<int> used(region_of_.begin(), region_of_.end());
    for (const Region& region : regions_)
      if (used.contains(region.number) && !region.name.empty()) builder_.name_group(3, region.number, region.name);
    LoadedMesh loaded = builder_.finish(in_.path());
    for (const Region& region : regions_) {
      const auto material = materials_.find(region.material);
      if (used.contains(region.number) && material != materials_.end() && material->second.rho > 0) {
        loaded.materials[region.number] = material->second;
      }
    }
    for (const auto& [name, elements] : sets_) {
      const NumberedName own = numbered(name);
      auto& set = loaded.vertex_sets[own.name.empty() ? name : own.name];
      for (int element : elements) {
        const auto corners = corners_of(static_cast<size_t>(checked(element, name)));
        set.insert(set.end(), corners.begin(), corners.end());
      }
      std::sort(set.begin(), set.end());
      set.erase(std::unique(set.begin(), set.end()), set.end());
    }
    loaded.messages.insert(loaded.messages.end(), messages_.begin(), messages_.end());
    return loaded;
  }

  TextReader in_;
  MeshBuilder builder_;
  bool more_ = false;       // the current line is one that has not been read
  std::int64_t first_ = 1;  // what vertices and elements are counted from
  const CellType* type_ = &kTet;
  std::vector<std::array<int, 8>> tets_;  // elements; corners as many as the type has
  std::vector<int> region_of_;
  std::map<std::string, std::vector<int>> sets_;  // of elements, from 0
  std::map<std::string, FileMaterial> materials_;
  std::vector<Region> regions_;
  std::set<std::string> messages_;
};

/// One word, as Vega's names are.
std::string word_of(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) <= 32 || c == ',' || c == '#' || c == '*') c = '_';
  return name.empty() ? "unnamed" : name;
}

/// Elements of a region are a set whose name carries the region's number; a *REGION joins it with its material where
/// that is known. Region 0 is none.
void add_regions(const LoadedMesh& loaded, MeshText& text) {
  std::map<int, std::vector<int>> elements;  // of each region
  for (int t = 0; t < loaded.mesh.tets(); ++t) {
    elements[loaded.mesh.region.size() > 0 ? loaded.mesh.region[t] : 0].push_back(t);
  }
  std::set<std::string> written;
  for (const auto& [region, tets] : elements) {
    const auto found = loaded.materials.find(region);
    const auto named = loaded.region_names.find(region);
    // The first region of a file is region 1 whatever its set is called.
    const bool plain = elements.size() == 1 && (region == 1 || region == 0) && found != loaded.materials.end() &&
                       named == loaded.region_names.end();
    if (region == 0 && !plain) continue;
    const std::string name = plain
                                 ? std::string(kAll)
                                 : fmt::format("region_{}{}", region,
                                               named == loaded.region_names.end() ? "" : ":" + word_of(named->second));
    if (!plain) {
      text.add("\n*SET {}\n", name);
      for (size_t i = 0; i < tets.size(); ++i)
        text.add("{}{}", tets[i] + 1, i % 12 == 11 || i + 1 == tets.size() ? "\n" : ", ");
    }
    if (found == loaded.materials.end()) continue;
    const FileMaterial& material = found->second;
    if (written.insert(material.name).second) {
      text.add("\n*MATERIAL {}\nENU, {}, {}, {}\n", word_of(material.name), material.rho, material.E, material.nu);
    }
    text.add("\n*REGION\n{}, {}\n", name, word_of(material.name));
  }
  if (written.empty()) {
    text.add(
        "\n# The source of this mesh says nothing of its material. Vega wants a section such as\n"
        "# *MATERIAL rubber / ENU, density, E, nu / *REGION / allElements, rubber\n");
  }
}

std::string write_vega(const LoadedMesh& loaded) {
  const TetMesh& mesh = loaded.mesh;
  MeshText text;
  text.add("*VERTICES\n{} 3 0 0\n", mesh.vertices());
  for (int i = 0; i < mesh.vertices(); ++i) {
    text.add("{} ", i + 1);
    text.add_row(mesh.X.row(i));
    text.add("\n");
  }
  text.add("\n*ELEMENTS\nTET\n{} 4 0\n", mesh.tets());
  for (int t = 0; t < mesh.tets(); ++t) {
    text.add("{} ", t + 1);
    text.add_indices(mesh.T.row(t), 1);
    text.add("\n");
  }
  add_regions(loaded, text);
  return text.take();
}

}  // namespace

MeshFormat vega_format() {
  MeshFormat format;
  format.name = "vega";
  format.summary = "Vega's .veg with tetrahedra or cubes; its regions, sets and materials (density, E, nu) are kept";
  format.extensions = {".veg"};
  format.tets = format.region_names = format.materials = true;
  format.read = [](MeshSource source) {
    const std::string name = source.name;
    return VegaReader(name, with_includes(std::move(source))).read();
  };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".veg", write_vega(mesh)}}; };
  return format;
}

}  // namespace brio
