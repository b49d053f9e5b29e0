#include "brio/output/frames/drawn_part.hpp"

#include <numeric>

namespace brio {

namespace {

/// Numbers do not blend: a point has that of the vertex with the most weight.
std::vector<int> numbers_of_skin(const Embedding& embedding, const std::vector<int>& of_vertex) {
  std::vector<int> regions;
  for (int point = 0; point < embedding.points(); ++point) {
    Index corner = 0;
    embedding.weights.row(point).maxCoeff(&corner);
    regions.push_back(of_vertex[embedding.corners(point, corner)]);
  }
  return regions;
}

/// Edges of what has no triangles.
MatrixX2i bare_edges(const BodyTopology& body) {
  std::vector<char> covered(body.vertices, 0);
  for (int vertex : body.triangles.reshaped()) covered[vertex] = 1;
  std::vector<Index> bare;
  for (Index e = 0; e < body.edges.rows(); ++e)
    if (!covered[body.edges(e, 0)] && !covered[body.edges(e, 1)]) bare.push_back(e);
  return body.edges(bare, Eigen::all);
}

/// Edges between those points of the skin that are vertices, as those of a rope are.
MatrixX2i edges_in_skin(const Embedding& embedding, const MatrixX2i& edges, int vertices) {
  std::vector<int> point_of(vertices, -1);
  for (int point = 0; point < embedding.points(); ++point) {
    const auto corners = embedding.corners.row(point);
    if ((corners.array() == corners[0]).all()) point_of[corners[0]] = point;
  }
  std::vector<Index> drawn;
  for (Index e = 0; e < edges.rows(); ++e)
    if (point_of[edges(e, 0)] >= 0 && point_of[edges(e, 1)] >= 0) drawn.push_back(e);
  MatrixX2i in_skin = edges(drawn, Eigen::all);
  for (int& vertex : in_skin.reshaped()) vertex = point_of[vertex];
  return in_skin;
}

}  // namespace

DrawnPart::DrawnPart(const BodyTopology& body) : body_names(body.body_names), skin(body.skin) {
  check_topology(body);
  if (skin) {
    vertices.resize(skin->surface.vertices());
    std::iota(vertices.begin(), vertices.end(), 0);
    triangles = skin->surface.triangles;
    if (!body.node_region.empty()) node_region = numbers_of_skin(skin->embedding, body.node_region);
    if (!body.body.empty()) this->body = numbers_of_skin(skin->embedding, body.body);
    edges = edges_in_skin(skin->embedding, bare_edges(body), body.vertices);
    return;
  }
  triangles = body.triangles;
  edges = bare_edges(body);

  std::vector<int> number(body.vertices, -1);
  for (int vertex : triangles.reshaped()) number[vertex] = 0;
  for (int vertex : edges.reshaped()) number[vertex] = 0;
  if (triangles.rows() + edges.rows() == 0) std::fill(number.begin(), number.end(), 0);
  for (int vertex = 0; vertex < body.vertices; ++vertex) {
    if (number[vertex] < 0) continue;
    number[vertex] = static_cast<int>(vertices.size());
    vertices.push_back(vertex);
  }
  for (int& vertex : triangles.reshaped()) vertex = number[vertex];
  for (int& vertex : edges.reshaped()) vertex = number[vertex];
  if (!body.node_region.empty())
    for (int vertex : vertices) node_region.push_back(body.node_region[vertex]);
  if (!body.body.empty())
    for (int vertex : vertices) this->body.push_back(body.body[vertex]);
}

MatrixX3d DrawnPart::rows(const MatrixX3d& all) const {
  return skin ? skin->embedding.carry(all) : MatrixX3d(all(vertices, Eigen::all));
}

VectorXd DrawnPart::rows(const VectorXd& all) const {
  return skin ? skin->embedding.carry(all) : VectorXd(all(vertices));
}

std::vector<float> DrawnPart::gather(const MatrixX3d& all) const {
  const MatrixX3d part = rows(all);
  return {part.data(), part.data() + part.size()};
}

}  // namespace brio
