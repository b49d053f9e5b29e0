#include "brio/mesh/formats/read_gmsh.hpp"

#include "brio/mesh/formats/gmsh_sections.hpp"

#include <optional>

namespace brio {
namespace {

enum class Version { v1, v2, v4 };

/// Also finds out the byte order of a binary file.
Version read_format(GmshInput& input) {
  TextReader& in = input.text;
  in.need_line("version of the format");
  const double version = in.real("version");
  const bool binary = in.integer("file type", 0, 1) == 1;
  const std::int64_t size = in.integer("data size");
  in.end_of_line();
  if (binary && size != 8) in.fail("data size = {}: a binary file must have 8", size);
  if (binary) {
    const std::string_view one = in.bytes(4, "the number 1, which shows the byte order");
    constexpr ScalarType kInt{ScalarType::Kind::signed_integer, 4};
    for (ByteOrder order : {ByteOrder::little, ByteOrder::big})
      if (kInt.integer_at(one.data(), order) == 1) input.binary = order;
    if (!input.binary) in.fail("a binary file whose first number is not 1 in any byte order");
  }
  if (version >= 2 && version <= 2.2) return Version::v2;
  if (version == 4.1) return Version::v4;
  in.fail("version {}: only 1, 2.0 to 2.2 and 4.1 are read (in Gmsh: Mesh.MshFileVersion = 4.1)", version);
}

void read_names(TextReader& in, GmshMesh& mesh) {
  in.need_line("number of physical names");
  const std::int64_t count = in.count("number of physical names", 7);
  in.end_of_line();
  for (std::int64_t i = 0; i < count; ++i) {
    in.need_line("physical names");
    if (in.line().starts_with('$')) in.fail("{} names are announced, but the section ends after {}", count, i);
    const int dimension = static_cast<int>(in.integer("dimension of the group", 0, 3));
    const int tag = static_cast<int>(in.integer("tag of the group", 1, std::numeric_limits<int>::max()));
    const std::string_view text = in.rest_of_line();
    if (text.size() < 3 || text.front() != '"' || text.back() != '"') {
      in.fail("expected a name in quotation marks, found {}", excerpt(text));
    }
    const std::string name(text.substr(1, text.size() - 2));
    if (!mesh.builder.name_group(dimension, tag, name)) {
      in.fail("physical group {} of dimension {} has a second name, {}", tag, dimension, excerpt(name));
    }
  }
}

class GmshReader {
 public:
  GmshReader(std::string text, const std::string& name) : in_(std::move(text), name) {}

  LoadedMesh read() {
    while (in_.next_line()) {
      if (!in_.line().starts_with('$')) in_.fail("expected a section such as $Nodes, found {}", excerpt(in_.line()));
      const std::string name(in_.word("name of the section").substr(1));  // some writers put more behind it
      const bool old = name == "NOD" || name == "ELM";
      const std::string end = (old ? "$END" : "$End") + name;
      const bool known = read_section(name);
      // Binary data of a section that is not read may end without a line end.
      if (known ? !in_.next_line() : !in_.find_text(end))
        in_.fail("the file ends, but {} should follow; is it complete?", end);
      if (in_.word(end) != end) in_.fail("expected {}, found {}", end, excerpt(in_.line()));
    }
    require(version_.has_value(), "$MeshFormat");
    require(mesh_.has_nodes(), "$Nodes");
    require(has_elements_, "$Elements");
    return mesh_.builder.finish(in_.path());
  }

 private:
  /// False for a section that is of no use here and has not been read.
  bool read_section(const std::string& name) {
    if (name == "MeshFormat") {
      require_first(!version_, name);
      version_ = read_format(numbers_);
      return true;
    }
    if (!version_ && (name == "NOD" || name == "ELM")) version_ = Version::v1;  // has no $MeshFormat
    if (!version_) in_.fail("${} comes before $MeshFormat; is this a Gmsh file?", name);
    if (name == "PhysicalNames") {
      read_names(in_, mesh_);
    } else if (name == "Entities" && version_ == Version::v4) {
      require_first(!entities_ && !has_elements_, name);
      entities_ = read_entities_4(numbers_);
    } else if (name == "PartitionedEntities") {
      in_.fail("a partitioned mesh is not read; save it without partitions");
    } else if (name == "Nodes" || name == "NOD") {
      require_first(!mesh_.has_nodes(), name);
      version_ != Version::v4 ? read_nodes_2(numbers_, mesh_) : read_nodes_4(numbers_, mesh_);
    } else if (name == "Elements" || name == "ELM") {
      require_first(!has_elements_, name);
      if (!mesh_.has_nodes()) in_.fail("${} comes before ${}", name, name == "ELM" ? "NOD" : "Nodes");
      if (version_ == Version::v1) {
        read_elements_1(numbers_, mesh_);
      } else if (version_ == Version::v2) {
        read_elements_2(numbers_, mesh_);
      } else {
        read_elements_4(numbers_, entities_ ? &*entities_ : nullptr, mesh_);
      }
      has_elements_ = true;
    } else {
      return false;
    }
    return true;
  }

  void require_first(bool first, const std::string& name) const {
    if (!first) in_.fail("${} comes a second time, or too late", name);
  }
  void require(bool present, std::string_view section) const {
    if (!present) throw Error("{}: has no {} section; is it a complete Gmsh file?", in_.path(), section);
  }

  TextReader in_;
  GmshInput numbers_{in_};
  GmshMesh mesh_;
  std::optional<Version> version_;
  std::optional<GmshEntities> entities_;
  bool has_elements_ = false;
};

}  // namespace

LoadedMesh parse_gmsh(std::string bytes, const std::string& name) { return GmshReader(std::move(bytes), name).read(); }

}  // namespace brio
