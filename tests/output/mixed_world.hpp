#pragma once
// A solid, a sheet and a rope in one world, moving in closed form: the swinging bar in the middle, a waving sheet on
// its right and a waving rope on its left.

#include "output/swinging_bar.hpp"

namespace brio::testing {

struct MixedWorld {
  static constexpr int kSide = 5, kRope = 9;  // vertices along the sheet's side and the rope
  static constexpr int kBarVertices = 99, kTets = 240, kBarTriangles = 176, kSheetTriangles = 32;
  static constexpr int kRopeStart = kBarVertices + kSide * kSide;

  SwingingBar bar{2};
  BodyTopology body = bar.body;
  MatrixX3d x, v;
  VectorXd strain;

  MixedWorld() {
    body.vertices = kRopeStart + kRope;
    body.triangles.conservativeResize(kBarTriangles + kSheetTriangles, 3);
    body.edges.resize(kRope - 1 + kSide - 1, 2);
    int row = kBarTriangles;
    for (int i = 0; i + 1 < kSide; ++i)
      for (int j = 0; j + 1 < kSide; ++j) {
        const int at = kBarVertices + kSide * i + j;
        body.triangles.row(row++) << at, at + 1, at + kSide;
        body.triangles.row(row++) << at + 1, at + kSide + 1, at + kSide;
      }
    for (int i = 0; i + 1 < kRope; ++i) body.edges.row(i) << kRopeStart + i, kRopeStart + i + 1;
    for (int i = 0; i + 1 < kSide; ++i)  // springs of the sheet, which its triangles cover
      body.edges.row(kRope - 1 + i) << kBarVertices + i, kBarVertices + i + 1;
    body.body_names = {"bar", "sheet", "Seil \xc3\xbc"};
    body.body.assign(body.vertices, 0);
    for (int i = kBarVertices; i < body.vertices; ++i) body.body[i] = i < kRopeStart ? 1 : 2;
    move(0);
  }

  void move(double t) {
    bar.move(t);
    x.setZero(body.vertices, 3);
    v.setZero(body.vertices, 3);
    strain.setZero(body.vertices);
    x.topRows(kBarVertices) = bar.x;
    v.topRows(kBarVertices) = bar.v;
    strain.head(kBarVertices) = bar.strain;
    for (int i = kBarVertices; i < body.vertices; ++i) {
      const int k = i - (i < kRopeStart ? kBarVertices : kRopeStart);
      const double wave = 0.1 * std::sin(k + 3 * t);
      x.row(i) << (i < kRopeStart ? 2 + 0.25 * (k % kSide) : -2.2), wave,
          (i < kRopeStart ? -0.25 * (k / kSide) - 0.5 : -0.2 * k);
      v(i, 1) = 0.3 * std::cos(k + 3 * t);
    }
  }

  Frame frame(double t) {
    move(t);
    return {t, x, v, strain, bar.no_obstacles};
  }
};

}  // namespace brio::testing
