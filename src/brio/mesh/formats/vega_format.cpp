// Vega's .veg (vegafem.blogspot.com): sections that begin with an asterisk, numbers separated by blanks or commas.
// Regions join a set of elements with a material.

#include "brio/core/error.hpp"
#include "brio/mesh/formats/mesh_builder.hpp"
#include "brio/mesh/formats/mesh_format.hpp"
#include "brio/mesh/formats/mesh_text.hpp"
#include "brio/mesh/formats/text_reader.hpp"

#include <algorithm>
#include <set>

namespace brio {
namespace {

constexpr CellType kTet{0, 3, 4, 4, "tetrahedra"};
constexpr std::string_view kAll = "allElements";  // Vega's name for the set that every file has

std::string commas_to_blanks(std::string text) {
  std::replace(text.begin(), text.end(), ',', ' ');
  return text;
}

class VegaReader {
 public:
  explicit VegaReader(MeshSource source) : in_(commas_to_blanks(std::move(source.bytes)), source.name, '#') {}

  LoadedMesh read() {
    more_ = in_.next_line();
    while (more_) {
      if (!in_.line().starts_with('*')) in_.fail("expected a section such as *VERTICES, found {}", excerpt(in_.line()));
      read_section(std::string(in_.word("section")));
    }
    if (tets_.empty()) throw Error("{}: has no *ELEMENTS of type TET", in_.path());
    assign_regions();
    return finish();
  }

 private:
  struct Region {
    std::string set, material;
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
        in_.end_of_line();
        regions_.push_back({set, material});
      }
    } else if (section == "*INCLUDE") {
      in_.fail("*INCLUDE is not read; put the text of that file here");
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
    need_row("type of the elements");
    const std::string_view type = in_.word("type of the elements");
    if (type != "TET" && type != "TETS") in_.fail("elements of type {}: only TET is read", excerpt(type));
    need_row("number of elements");
    const std::int64_t count = in_.count("number of elements", 10);
    in_.integer("vertices of an element", 4, 4);
    tets_.reserve(static_cast<size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
      need_row("elements");
      in_.integer("number of the element", first_ + i, first_ + i);
      auto& tet = tets_.emplace_back();
      for (int& corner : tet) {
        corner =
            static_cast<int>(in_.integer("vertex of the element", first_, first_ + builder_.vertices() - 1) - first_);
      }
      in_.end_of_line();
    }
    more_ = in_.next_line();
  }

  void read_set() {
    const std::string name(in_.word("name of the set"));
    in_.end_of_line();
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
        if (region == 0) region = static_cast<int>(r) + 1;
      };
      if (name == kAll) {
        for (int& region : region_of_) take(region);
      } else {
        for (int element : sets_[name]) take(region_of_[checked(element, name)]);
      }
    }
  }

  int checked(int element, const std::string& set) const {
    if (element < static_cast<int>(tets_.size())) return element;
    throw Error("{}: set {} names element {}, but there are {}", in_.path(), excerpt(set), element + first_,
                tets_.size());
  }

  LoadedMesh finish() {
    for (size_t t = 0; t < tets_.size(); ++t) builder_.add_cell(kTet, tets_[t], builder_.group(region_of_[t]));
    const std::set<int> used(region_of_.begin(), region_of_.end());
    for (size_t r = 0; r < regions_.size(); ++r) {
      const int region = static_cast<int>(r) + 1;
      if (used.contains(region)) builder_.name_group(3, region, regions_[r].set);
    }
    LoadedMesh loaded = builder_.finish(in_.path());
    for (size_t r = 0; r < regions_.size(); ++r) {
      const FileMaterial& material = materials_.at(regions_[r].material);
      if (used.contains(static_cast<int>(r) + 1) && material.rho > 0) {
        loaded.materials[static_cast<int>(r) + 1] = material;
      }
    }
    for (const auto& [name, elements] : sets_) {
      auto& set = loaded.vertex_sets[name];
      for (int element : elements) {
        const auto& tet = tets_[checked(element, name)];
        set.insert(set.end(), tet.begin(), tet.end());
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
  std::vector<std::array<int, 4>> tets_;
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

void add_regions(const LoadedMesh& loaded, MeshText& text) {
  std::map<int, std::vector<int>> elements;  // of each region
  for (int t = 0; t < loaded.mesh.tets(); ++t) {
    elements[loaded.mesh.region.size() > 0 ? loaded.mesh.region[t] : 0].push_back(t);
  }
  std::map<int, std::string> set_names;
  std::set<std::string> taken;
  for (const auto& [region, tets] : elements) {
    const auto named = loaded.region_names.find(region);
    std::string name = named == loaded.region_names.end() ? fmt::format("region_{}", region) : word_of(named->second);
    if (elements.size() == 1) {
      set_names[region] = kAll;
      continue;
    }
    while (name == kAll || !taken.insert(name).second) name += fmt::format("_{}", region);
    set_names[region] = name;
    text.add("\n*SET {}\n", name);
    for (size_t i = 0; i < tets.size(); ++i)
      text.add("{}{}", tets[i] + 1, i % 12 == 11 || i + 1 == tets.size() ? "\n" : ", ");
  }
  std::set<std::string> written;
  for (const auto& [region, name] : set_names) {
    const auto found = loaded.materials.find(region);
    // Vega takes no file without a material; one that is not known gets the values of soft rubber.
    const FileMaterial material =
        found == loaded.materials.end() ? FileMaterial{"to_be_chosen", 1000, 1e6, 0.45} : found->second;
    if (found == loaded.materials.end() && !written.contains(material.name)) {
      text.add("\n# The source of this mesh says nothing of its material: change these values.");
    }
    if (written.insert(material.name).second) {
      text.add("\n*MATERIAL {}\nENU, {}, {}, {}\n", word_of(material.name), material.rho, material.E, material.nu);
    }
    text.add("\n*REGION\n{}, {}\n", name, word_of(material.name));
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
  format.summary = "Vega's .veg with tetrahedra; its regions, sets and materials (density, E, nu) are kept";
  format.extensions = {".veg"};
  format.tets = format.region_names = format.materials = true;
  format.read = [](MeshSource source) { return VegaReader(std::move(source)).read(); };
  format.write = [](const LoadedMesh& mesh) -> std::vector<MeshFile> { return {{".veg", write_vega(mesh)}}; };
  return format;
}

}  // namespace brio
