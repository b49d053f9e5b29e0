// `brio` under mpirun as a shell sees it: one voice, frames of all ranks, and runs that are broken off.

#include "brio/core/json.hpp"
#include "brio/mesh/formats/load_mesh.hpp"

#include "apps/run_files.hpp"
#include <csignal>
#include <fstream>
#include <regex>
#include <thread>

namespace brio::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBar = R"({
  "mesh": {"generate": "bar", "length": 0.4, "width": 0.1, "height": 0.1, "cells_across": 2},
  "materials": [{"law": "stable-neo-hookean", "E": 1e5, "nu": 0.4, "rho": 1000}],
  "sets": {"wall": {"select": "extreme", "axis": "x", "side": "min"}},
  "constraints": [{"set": "wall"}],
  "integrator": {"name": "si", "h": 0.01, "engine": "petsc", "engine_tolerance": 1e-9},
  "steps": 12, "output": {"every": 2}})";

Outcome on_ranks(int ranks, const std::string& arguments) {
  const fs::path folder = fresh_folder("petsc-output");
  const int status = std::system(fmt::format("{} {} {} {} > {} 2> {}", BRIO_MPIRUN, ranks, BRIO_PROGRAM, arguments,
                                             (folder / "out").string(), (folder / "err").string())
                                     .c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / "out"), read_text(folder / "err")};
}

int count(const std::string& text, const std::string& part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// The last line of a table, number by number.
std::vector<double> last_row(const fs::path& file) {
  const std::string text = read_text(file);
  std::istringstream line(text.substr(text.rfind('\n', text.size() - 2) + 1));
  std::vector<double> row;
  for (std::string cell; std::getline(line, cell, ',');) row.push_back(std::atof(cell.c_str()));
  return row;
}

void expect_same_end(const fs::path& one, const fs::path& other) {
  const std::vector<double> a = last_row(one / "energy.csv"), b = last_row(other / "energy.csv");
  ASSERT_GT(a.size(), 8u);
  EXPECT_EQ(a[0], b[0]);
  for (int k = 2; k < 7; ++k) EXPECT_NEAR(a[k], b[k], 1e-6 * std::fabs(a[6])) << k;
}

TEST(PetscProgram, writes_one_output_and_frames_from_all_ranks) {
  const fs::path folder = fresh_folder("petsc-frames");
  const std::string scene = scene_in(folder, kBar);
  const fs::path one = folder / "one", three = folder / "three";
  ASSERT_EQ(brio(fmt::format("run {} -o {} --engine direct --frames vtu", scene, one.string())).code, 0);
  const Outcome outcome = on_ranks(3, fmt::format("run {} -o {} --frames pvtu", scene, three.string()));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count(outcome.out, "finished: 12 steps"), 1) << outcome.out;
  expect_same_end(one, three);
  const std::vector<double> a = last_row(one / "reactions.csv"), b = last_row(three / "reactions.csv");
  ASSERT_EQ(a.size(), b.size());
  for (size_t k = 4; k < 7; ++k) EXPECT_NEAR(a[k], b[k], 1e-5 * (std::fabs(a[5]) + 1)) << k;
  // The pieces have each cell once.
  const LoadedMesh whole = load_mesh(one / "vtu" / "frame_000006.vtu");
  int cells = 0;
  for (int r = 0; r < 3; ++r) {
    const LoadedMesh piece = load_mesh(three / "pvtu" / fmt::format("frame_000006.{}.vtu", r));
    cells += piece.mesh.tets();
    EXPECT_GT(piece.mesh.tets(), 0);
    EXPECT_LT(piece.mesh.vertices(), whole.mesh.vertices());
  }
  EXPECT_EQ(cells, whole.mesh.tets());
  const std::string index = read_text(three / "pvtu" / "frame_000006.pvtu");
  EXPECT_EQ(count(index, "<Piece Source="), 3);
  EXPECT_EQ(count(read_text(three / "pvtu" / "frames.pvd"), "<DataSet"), 7);
}

TEST(PetscProgram, goes_on_on_another_number_of_ranks) {
  const fs::path folder = fresh_folder("petsc-resume"), run = folder / "run", whole = folder / "whole";
  const std::string scene = scene_in(folder, kBar);
  ASSERT_EQ(brio(fmt::format("run {} -o {} --engine direct", scene, whole.string())).code, 0);
  ASSERT_EQ(on_ranks(3, fmt::format("run {} -o {} --steps 5 --frames pvtu", scene, run.string())).code, 0);
  const Outcome more = on_ranks(2, fmt::format("resume {} --steps 9", run.string()));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(count(more.out, "on from step 5"), 1) << more.out;
  ASSERT_EQ(brio(fmt::format("resume {} --steps 12", run.string())).code, 0);  // and alone
  expect_same_end(whole, run);
  EXPECT_EQ(lines_of(run / "energy.csv"), 14);
}

/// A rank that dies ends the run, with a message and a checkpoint.
TEST(PetscProgram, ends_with_a_checkpoint_when_a_rank_dies) {
  const fs::path folder = fresh_folder("petsc-death"), run = folder / "run", whole = folder / "whole";
  const std::string scene = scene_in(folder, kBar);
  std::thread killer([&] {
    for (int i = 0; i < 6000 && !(fs::exists(run / "energy.csv") && lines_of(run / "energy.csv") >= 5); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    // The last of the ranks with this folder among their arguments.
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename().string();
      if (!std::isdigit(static_cast<unsigned char>(pid[0]))) continue;
      std::ifstream file(entry.path() / "environ", std::ios::binary);
      const std::string environment((std::istreambuf_iterator<char>(file)), {});
      std::ifstream command(entry.path() / "cmdline", std::ios::binary);
      const std::string words((std::istreambuf_iterator<char>(command)), {});
      if (words.find(run.string()) != std::string::npos && words.starts_with(BRIO_PROGRAM) &&
          environment.find("OMPI_COMM_WORLD_RANK=2") != std::string::npos)
        kill(std::stoi(pid), SIGKILL);
    }
  });
  const Outcome outcome = on_ranks(3, fmt::format("run {} -o {} --steps 20000", scene, run.string()));
  killer.join();
  EXPECT_NE(outcome.code, 0);
  std::smatch said;
  ASSERT_TRUE(std::regex_search(outcome.err, said, std::regex("the run is stored as it was after step ([0-9]+)")))
      << outcome.err;
  const int last = std::stoi(said[1]) + 10;
  const Outcome more = on_ranks(2, fmt::format("resume {} --steps {}", run.string(), last));
  ASSERT_EQ(more.code, 0) << more.err;
  EXPECT_EQ(count(more.out, fmt::format("on from step {} of {}", last - 10, last)), 1) << more.out;
  ASSERT_EQ(brio(fmt::format("run {} -o {} --engine direct --steps {}", scene, whole.string(), last)).code, 0);
  EXPECT_EQ(last_row(run / "energy.csv")[0], last);
  EXPECT_NEAR(last_row(run / "energy.csv")[6], last_row(whole / "energy.csv")[6], 1e-3);
}

/// Commands that run many scenes do so in one process, with any engine.
TEST(PetscProgram, computes_alone_in_a_comparison) {
  const fs::path folder = fresh_folder("petsc-compare");
  const std::string scene = scene_in(folder, kBar), out = (folder / "out").string();
  const Outcome outcome =
      brio(fmt::format("compare {} -o {} --integrators si:engine=petsc,si:engine=direct,lim:engine=petsc", scene, out));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json runs = Json::parse(read_text(folder / "out" / "compare.json"))["runs"];
  ASSERT_EQ(runs.size(), 3u);
  for (const Json& run : runs) EXPECT_EQ(run["status"], "finished") << run.dump();
  EXPECT_NE(brio("list engines").out.find("is built here"), std::string::npos);
}

/// What is refused is refused by one rank.
TEST(PetscProgram, speaks_with_one_voice) {
  const fs::path folder = fresh_folder("petsc-refusals");
  const std::string scene = scene_in(folder, kBar), out = (folder / "run").string();
  const auto expect_once = [&](int ranks, const std::string& arguments, const std::string& part) {
    const Outcome outcome = on_ranks(ranks, arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_EQ(count(outcome.err, "brio: "), 1) << outcome.err;
    EXPECT_EQ(count(outcome.err, part), 1) << outcome.err;
  };
  expect_once(3, "run nosuch.json", "nosuch.json: no such file");
  expect_once(2, fmt::format("run {} -o {} --engine direct", scene, out), "2 ranks were started");
  expect_once(2, fmt::format("run {} -o {} -pc_tpye gamg", scene, out), "-pc_tpye");
  expect_once(2, fmt::format("compare {} -o {}", scene, out), "for one process");
  expect_once(4, fmt::format("run {} -o {} --set 'mesh={{\"generate\": \"given\", \"vertices\": "
                             "[[0,0,0],[1,0,0],[0,1,0],[0,0,1]], \"tets\": [0,1,2,3]}}' --set constraints=[]",
                             scene, out),
              "1 elements cannot be divided");
}

/// Ranks that see different files: here each reads those of its rank.
TEST(PetscProgram, refuses_ranks_with_different_scenes) {
  const auto refusal = [](const std::string& name, const std::function<void(const fs::path&, int)>& write) {
    const fs::path folder = fresh_folder(name);
    for (int r = 0; r < 2; ++r) {
      fs::create_directories(folder / std::to_string(r));
      write(folder / std::to_string(r), r);
    }
    const std::string script =
        fmt::format("cd {}/$OMPI_COMM_WORLD_RANK && exec {} run scene.json", folder.string(), BRIO_PROGRAM);
    const std::string err = (folder / "err").string();
    const int status = std::system(fmt::format("{} 2 sh -c '{}' > /dev/null 2> {}", BRIO_MPIRUN, script, err).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 2);
    const std::string text = read_text(err);
    EXPECT_EQ(count(text, "brio: "), 1) << text;
    return text;
  };
  const std::string scenes = refusal("petsc-different", [](const fs::path& folder, int rank) {
    std::ofstream(folder / "scene.json") << (rank == 0 ? kBar : std::regex_replace(kBar, std::regex("1e5"), "2e5"));
  });
  EXPECT_NE(scenes.find("rank 1 of 2: scene.json: the scene is not the one that rank 0 has"), std::string::npos) << scenes;
  const std::string meshes = refusal("petsc-different-mesh", [](const fs::path& folder, int rank) {
    std::ofstream(folder / "scene.json") << std::regex_replace(kBar, std::regex(R"("mesh": \{[^}]*\})"),
                                                               R"("mesh": {"file": "body.msh"})");
    brio(fmt::format("mesh bunny --vertices {} -o {}", 1500 + 500 * rank, (folder / "body.msh").string()));
  });
  EXPECT_NE(meshes.find("rank 1 of 2: what the bodies are made of is not the one that rank 0 has"), std::string::npos)
      << meshes;
}

}  // namespace
}  // namespace brio::testing
