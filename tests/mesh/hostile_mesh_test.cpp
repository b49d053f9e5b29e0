// Every reader of mesh files and everything that can be wrong with one: the answer is a mesh or an Error, and memory
// stays within a small multiple of the file. The corpus is the fuzzer's (tools/fuzz), its findings included.

#include "brio/core/error.hpp"

#include "mesh/mesh_checks.hpp"
#include "mesh/mesh_files.hpp"
#include <malloc.h>
#include <new>
#include <random>

namespace {

// Bytes in use and the most so far, of this thread; the readers have one.
thread_local size_t in_use = 0, most_in_use = 0;

void* taken(void* memory) {
  if (!memory) throw std::bad_alloc();
  in_use += malloc_usable_size(memory);
  most_in_use = std::max(most_in_use, in_use);
  return memory;
}
void given_back(void* memory) {
  if (memory) in_use -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

#define NOT_INLINED __attribute__((noinline))
NOT_INLINED void* operator new(size_t size) { return taken(std::malloc(std::max<size_t>(size, 1))); }
// The sanitizer has one of its own for this, whose memory the operator below may not free.
NOT_INLINED void* operator new(size_t size, const std::nothrow_t&) noexcept {
  void* memory = std::malloc(std::max<size_t>(size, 1));
  return memory ? taken(memory) : nullptr;
}
NOT_INLINED void operator delete(void* memory) noexcept { given_back(memory); }
NOT_INLINED void operator delete(void* memory, size_t) noexcept { given_back(memory); }

namespace brio {
namespace {

namespace fs = std::filesystem;

/// Reads, and checks what every reader promises. True when there was a mesh.
bool attempt(const MeshFormat& format, const std::string& bytes) {
  const size_t before = in_use;
  most_in_use = in_use;
  bool read = false;
  try {
    const LoadedMesh loaded = read_bytes(format, bytes);
    const int n = std::max(loaded.mesh.vertices(), loaded.surface.vertices());
    EXPECT_TRUE(loaded.mesh.X.allFinite() && loaded.surface.X.allFinite()) << format.name;
    for (int vertex : loaded.mesh.T.reshaped()) EXPECT_TRUE(vertex >= 0 && vertex < n);
    for (int vertex : loaded.surface.triangles.reshaped()) EXPECT_TRUE(vertex >= 0 && vertex < n);
    for (int uv : loaded.surface.uv_triangles.reshaped()) EXPECT_TRUE(uv >= -1 && uv < loaded.surface.uv.rows());
    for (const auto& [name, set] : loaded.vertex_sets)
      for (int vertex : set) EXPECT_TRUE(vertex >= 0 && vertex < n);
    read = true;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()), "");
  }
  // The file itself is copied two or three times; a vertex of 6 bytes, "0 0 0\n", takes 24 bytes and 24 more for its
  // tag, twice while an array grows. What does not depend on the file (messages, small maps) is a few pages.
  EXPECT_LE(most_in_use - before, 50'000 + 60 * bytes.size()) << format.name << ", " << bytes.size() << " bytes";
  return read;
}

void for_each_seed(const std::function<void(const MeshFormat&, const fs::path&, const std::string&)>& use) {
  for (const MeshFormat& format : mesh_formats()) {
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(fs::path(BRIO_SOURCE_DIR) / "tests/mesh/corpus" / format.name))
      files.insert(entry.path());
    ASSERT_FALSE(files.empty()) << format.name;
    for (const fs::path& file : files) use(format, file, read_text(file));
  }
}

TEST(HostileMesh, the_corpus_is_read_or_refused) {
  for_each_seed([](const MeshFormat& format, const fs::path& file, const std::string& bytes) {
    const bool finding = file.filename().string().starts_with("found-");
    EXPECT_TRUE(attempt(format, bytes) || finding) << file;
  });
}

TEST(HostileMesh, every_cut_is_read_or_refused) {
  int read = 0, refused = 0;
  for_each_seed([&](const MeshFormat& format, const fs::path&, const std::string& bytes) {
    const size_t stride = std::max<size_t>(1, bytes.size() / 400);
    for (size_t cut = 0; cut < bytes.size(); cut += stride) ++(attempt(format, bytes.substr(0, cut)) ? read : refused);
  });
  EXPECT_GT(read, 100);  // what stands at the end of some files is of no use to us
  EXPECT_GT(refused, 5000);
}

TEST(HostileMesh, mutations_are_read_or_refused) {
  std::mt19937 random(11);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  using namespace std::string_literals;
  const std::string pieces[] = {"-1"s,         "0"s,
                                "1e308"s,      "99999999999"s,
                                "nan"s,        "\n"s,
                                "2147483647"s, "\xff\xff\xff\x7f"s,
                                "\0\0\0\0"s,   "\xff\xff\xff\xff\xff\xff\xff\xff"s,
                                "\r"s,         "4294967295"s};
  int read = 0, refused = 0;
  for_each_seed([&](const MeshFormat& format, const fs::path&, const std::string& bytes) {
    for (int round = 0; round < 300; ++round) {
      std::string text = bytes;
      for (size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
        const size_t at = below(text.size());
        const size_t kind = below(4);
        if (kind == 0) text[at] = static_cast<char>(below(256));
        if (kind == 1) text.erase(at, 1 + below(8));
        if (kind == 2) text.insert(at, pieces[below(std::size(pieces))]);
        if (kind == 3 && text[at] >= '0' && text[at] <= '9') text[at] = static_cast<char>('0' + below(10));
      }
      ++(attempt(format, text) ? read : refused);
    }
  });
  EXPECT_GT(read, 1000);
  EXPECT_GT(refused, 5000);
}

void expect_refusal(const std::string& format, const std::string& bytes, const std::string& part) {
  try {
    read_bytes(find_row(mesh_formats(), "format", format), bytes);
    FAIL() << format << " read what should say: " << part;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(HostileMesh, refusals_say_where_and_why) {
  expect_refusal("medit", "MeshVersionFormatted 2\nDimension 3\nVertices 2000000000\n0 0 0 0\n",
                 ":3: number of vertices = 2000000000: the file has only");
  expect_refusal("medit", "MeshVersionFormatted 2\nDimension 2\n", "dimension = 2");
  expect_refusal("medit", "MeshVersionFormatted 2\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 2 0\n",
                 ":5: vertex of a cell = 2: must be between 1 and 1");
  expect_refusal("medit", "MeshVersionFormatted 2\nVertices 1\n0 nan 0 0\n", ":3: y: expected a finite number");
  expect_refusal("tetgen", "1 4 0\n1 1 2 3 5\n%%\n4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n",
                 "input.ele:2: point of the tetrahedron = 5: must be between 1 and 4");
  expect_refusal("tetgen", "1 4 0\n1 1 2 3 4\n%%\n4 3 0 0\n1 0 0 0\n3 1 0 0\n3 0 1 0\n4 0 0 1\n",
                 "input.node:3: number of the point = 3: must be between 2 and 2");
  expect_refusal("vega", "*VERTICES\n1 3 0 0\n1 0 0 0\n*ELEMENTS\nSHELL\n0 8 0\n",
                 ":5: elements of type \"SHELL\": only TET and CUBIC are read");
  expect_refusal("vega", "*INCLUDE other.veg\n", "*INCLUDE \"other.veg\": other files are not at hand");
  expect_refusal("vega", "*INCLUDE ../../secret\n", "name a file in the same folder");
  expect_refusal("vega", "*INCLUDE /etc/passwd\n", "name a file in the same folder");
  expect_refusal("vtk", "# vtk DataFile Version 3.0\nx\nASCII\nDATASET STRUCTURED_GRID\n",
                 ":4: data of kind \"STRUCTURED_GRID\"");
  expect_refusal("vtk", "# vtk DataFile Version 3.0\nx\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 400000000 double\n0",
                 "numbers should follow, but the file has only");
  expect_refusal("vtu", "<VTKFile type=\"ImageData\">", "type \"ImageData\": only UnstructuredGrid is read");
  expect_refusal("vtu", "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">",
                 "only vtkZLibDataCompressor is read");
  expect_refusal(
      "vtu",
      "<VTKFile type=\"UnstructuredGrid\"><Piece NumberOfPoints=\"1\" NumberOfCells=\"1\"><Points><DataArray "
      "type=\"Float64\" Name=\"p\" format=\"binary\">AAAAgP//</DataArray></Points></Piece></VTKFile>",
      "the data end before");
  expect_refusal("obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "triangle 0 names point 2, but there are 2");
  expect_refusal("obj", "v 0 0 0\nf -1 -2 -1\n", ":2: corner of a face: there is no point -2; 1 came so far");
  expect_refusal("obj", "v 0 0 0\nf 1 1\n", ":2: a face with 2 corners");
  expect_refusal("stl", "rubbish", "begins neither with");
  expect_refusal("stl", std::string(80, ' ').append("\xff\xff\xff\x7f"),
                 "a binary STL file of 2147483647 triangles would have 107374182434 bytes");
  expect_refusal("ply", "ply\nformat ascii 1.0\nelement vertex 1000000000\nproperty float x\nend_header\n",
                 "the file has only");
  expect_refusal("ply", "ply\nformat ascii 1.0\nelement nothing 1000000000\nend_header\n", "the file has only");
  expect_refusal("ply", "ply\nformat binary_middle_endian 1.0\nend_header\n", "expected ascii");
  expect_refusal("off", "OFF\n1000000000 1 0\n", ":2: number of points = 1000000000: the file has only");
  expect_refusal("off", "OFF BINARY\n", "a binary file");
}

}  // namespace
}  // namespace brio
