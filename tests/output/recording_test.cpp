#include "brio/output/recording.hpp"

#include "brio/core/error.hpp"

#include "output/files.hpp"
#include "output/swinging_bar.hpp"
#include <limits>

using namespace brio;
using namespace brio::testing;

TEST(Recording, keeps_the_surface_to_the_step_of_its_numbers) {
  SwingingBar bar(2);
  Recording recording(bar.body, {});
  recording.add(bar.frame(0.2));
  const RecordedFrame& frame = *recording.frames().at(0);
  const auto& vertices = recording.part().vertices;
  ASSERT_EQ(vertices.size(), 90u);
  ASSERT_EQ(frame.position.size(), 270u);
  for (size_t i = 0; i < vertices.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const double x = frame.low[k] + frame.size[k] * frame.position[3 * i + k] / 65535;
      EXPECT_NEAR(x, bar.x(vertices[i], k), 0.5001 * frame.size[k] / 65535);  // rounding to the nearest
    }
    EXPECT_NEAR(frame.speed.most * frame.speed.value[i] / 255, bar.v.row(vertices[i]).norm(),
                0.5001 * frame.speed.most / 255);
    EXPECT_NEAR(frame.strain.most * frame.strain.value[i] / 255, bar.strain[vertices[i]],
                0.5001 * frame.strain.most / 255);
  }
  EXPECT_GT(frame.speed.most, 1);  // the tip moves at about 2 m x 1.2 rad x pi/s x sin(0.2 pi) = 4 m/s
  // The renumbered triangles are the same triangles.
  for (Index t = 0; t < bar.body.triangles.rows(); ++t)
    for (int k = 0; k < 3; ++k) EXPECT_EQ(vertices[recording.part().triangles(t, k)], bar.body.triangles(t, k));
}

TEST(Recording, thins_evenly_and_keeps_both_ends) {
  SwingingBar bar(1);
  for (int most : {2, 3, 10, 11}) {
    for (int frames : {1, 2, 3, 9, 10, 11, 12, 25, 100, 1000}) {
      Recording recording(bar.body, {}, {most, 1'000'000});
      for (int k = 0; k < frames; ++k) recording.add(bar.frame(k));
      const auto kept = recording.frames();
      ASSERT_LE(kept.size(), most + 1u);
      ASSERT_GE(kept.size(), std::min<size_t>(frames, most / 2));
      EXPECT_EQ(kept.front()->time, 0);
      EXPECT_EQ(kept.back()->time, frames - 1);
      const double stride = kept.size() > 1 ? kept[1]->time : 1;
      for (size_t i = 0; i + 1 < kept.size(); ++i) EXPECT_EQ(kept[i]->time, i * stride) << most << " " << frames;
      EXPECT_TRUE(frames > most || kept.size() == size_t(frames)) << most << " " << frames;
    }
  }
}

TEST(Recording, goes_on_with_another_body) {
  SwingingBar first(1), second(2);
  Recording recording(first.body, {}, {300, 7200});  // 37 frames of the first body, ten of the second
  for (int k = 0; k < 20; ++k) recording.add(first.frame(k));
  recording.set_topology(second.body);
  EXPECT_LE(recording.frames().size(), 11u);
  EXPECT_NE(message_of<Error>([&] { recording.add(first.frame(20)); }), "(nothing was thrown)");
  for (int k = 20; k < 40; ++k) recording.add(second.frame(k));
  ASSERT_EQ(recording.parts().size(), 2u);
  EXPECT_LE(recording.frames().size(), 11u);
  for (const RecordedFrame* frame : recording.frames()) {
    EXPECT_EQ(frame->part, frame->time < 19.5 ? 0 : 1);
    EXPECT_EQ(frame->position.size(), 3 * recording.parts()[frame->part].vertices.size());
  }
  EXPECT_EQ(recording.frames().front()->part, 0);
  EXPECT_EQ(recording.frames().back()->part, 1);
}

TEST(Recording, stays_within_its_bytes) {
  SwingingBar bar(1);  // 24 vertices, all of them outside: 192 bytes a frame
  Recording recording(bar.body, {}, {300, 1920});
  for (int k = 0; k < 200; ++k) recording.add(bar.frame(k));
  EXPECT_LE(recording.frames().size(), 11u);
}

TEST(Recording, one_wild_frame_does_not_coarsen_the_others) {
  SwingingBar bar(1);
  Recording recording(bar.body, {});
  recording.add(bar.frame(0));
  const MatrixX3d wild = 1e9 * bar.x;
  recording.add({1, wild, bar.v, bar.strain, {}});
  EXPECT_LT(recording.frames().at(0)->size.maxCoeff(), 3);
  EXPECT_GT(recording.frames().at(1)->size.maxCoeff(), 1e8);
}

TEST(Recording, ropes_and_loose_particles_are_drawn) {
  BodyTopology rope;
  rope.vertices = 3;
  EXPECT_EQ(Recording(rope, {}).part().vertices.size(), 3u);
  rope.edges.resize(1, 2);
  rope.edges << 0, 2;
  const Recording recording(rope, {});
  EXPECT_EQ(recording.part().vertices, (std::vector<int>{0, 2}));
  EXPECT_EQ(recording.part().edges(0, 1), 1);
}

TEST(Recording, refuses_what_is_not_finite) {
  SwingingBar bar(1);
  Recording recording(bar.body, {});
  bar.move(0);
  MatrixX3d x = bar.x;
  x(7, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of<Error>([&] {
              recording.add({0.25, x, bar.v, bar.strain, {}});
            }),
            "frame at 0.25 s: the position of vertex 7 is not a finite number");
  VectorXd strain = bar.strain;
  strain[3] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of<Error>([&] {
              recording.add({0.25, bar.x, bar.v, strain, {}});
            }),
            "frame at 0.25 s: the strain of vertex 3 is not a finite number");
  EXPECT_EQ(message_of<Error>([&] {
              recording.add({0.25, bar.x, bar.v, bar.strain, {Placement{}}});
            }),
            "frame at 0.25 s has 1 obstacle poses for 0 obstacles");
}
