#pragma once
// The table of mesh files: what `brio convert`, `brio info`, scenes, the docs and the tests know of them. A format is
// one file, *_format.cpp, and one row. Readers work on bytes in memory, so that they can be fuzzed; writers give bytes.

#include "brio/core/table.hpp"
#include "brio/mesh/loaded_mesh.hpp"

#include <filesystem>
#include <functional>

namespace brio {

/// The bytes of a file, and access to its companion files.
struct MeshSource {
  std::string name;  ///< in messages
  std::string bytes;
  std::function<MeshSource(const std::string& extension)> beside;     ///< the file of that name with another extension
  std::function<MeshSource(const std::string& name)> in_folder = {};  ///< a file in the same folder
};

struct MeshFile {
  std::string extension;  ///< with the dot
  std::string bytes;
};

struct MeshFormat : Entry {
  std::vector<std::string> extensions;  ///< with the dot, in small letters
  bool tets = false;                    ///< can hold tetrahedra
  bool surfaces = false;                ///< can hold triangles without tetrahedra
  bool second_order = false;            ///< can hold quadratic tetrahedra
  /// What is written with tetrahedra: vertex sets, names of regions, materials with their constants.
  bool sets = false, region_names = false, materials = false;
  /// What is written with a surface: groups of triangles; texture points and names of materials.
  bool groups = false, texture = false;
  /// Vertex indices in range, coordinates finite, memory bounded by a small multiple of the bytes; else Error.
  std::function<LoadedMesh(MeshSource)> read;
  /// The tetrahedra or, without any, the surface; numbers read back with the same bits where the format can.
  std::function<std::vector<MeshFile>(const LoadedMesh&)> write;
};

const std::vector<MeshFormat>& mesh_formats();
Table<MeshFormat>& mesh_format_table();  ///< the same, to add rows to

/// By the extension, in capitals or not; throws Error with the known ones otherwise.
const MeshFormat& find_mesh_format(const std::filesystem::path& path);

MeshFormat gmsh_format();
MeshFormat medit_format();
MeshFormat tetgen_format();
MeshFormat vega_format();
MeshFormat vtk_format();
MeshFormat vtu_format();
MeshFormat obj_format();
MeshFormat stl_format();
MeshFormat ply_format();
MeshFormat off_format();

}  // namespace brio
