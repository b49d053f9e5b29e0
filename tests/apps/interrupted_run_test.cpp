// Runs that are killed, that find the disk full, that find their folder taken: what they leave is whole, and they go
// on.

#include "brio/core/json.hpp"

#include "apps/run_files.hpp"
#include <csignal>
#include <fstream>
#include <random>
#include <sys/resource.h>
#include <thread>

namespace brio::testing {
namespace {

namespace fs = std::filesystem;

TEST(InterruptedRun, goes_on_after_kill_9_to_the_same_bytes) {
  const fs::path folder = fresh_folder("kill-9");
  const std::string scene = scene_in(folder), whole = (folder / "whole").string();
  ASSERT_EQ(brio(fmt::format("run {} -o {}", scene, whole)).code, 0);
  for (int lines : {2, 9, 33, 47, 58}) {  // before the cut at step 30, after it, near the end
    const fs::path broken = folder / fmt::format("broken-{}", lines);
    const pid_t child = started({"run", scene, "-o", broken.string(), "--checkpoint-every", "4"});
    const int status = signaled(child, broken / "energy.csv", lines, SIGKILL);
    expect_whole_files(broken, true);
    const Outcome page = brio("report " + broken.string());
    EXPECT_EQ(page.code, 0) << page.err;
    EXPECT_NE(page.out.find(WIFSIGNALED(status) ? "broken off after step" : "all 60 steps"), std::string::npos)
        << page.out;
    expect_whole_files(broken, true);
    const Outcome more = brio("resume " + broken.string());
    EXPECT_EQ(more.code, 0) << more.err;
    expect_whole_files(broken);
    expect_same_results(whole, broken);
  }
}

TEST(InterruptedRun, hangup_ends_it_properly_and_resume_goes_on) {
  const fs::path folder = fresh_folder("hangup");
  const std::string scene = scene_in(folder), whole = (folder / "whole").string();
  ASSERT_EQ(brio(fmt::format("run {} -o {} --steps 400", scene, whole)).code, 0);
  const fs::path broken = folder / "broken";
  const pid_t child = started({"run", scene, "-o", broken.string(), "--steps", "400"});
  const int status = signaled(child, broken / "energy.csv", 40, SIGHUP);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(Json::parse(read_text(broken / "summary.json"))["status"].get<std::string>(), "interrupted");
  EXPECT_EQ(brio(fmt::format("run {} -o {} --steps 400 --resume", scene, broken.string())).code, 0);
  expect_same_results(whole, broken);
}

/// The n-th write is short, finds the disk full, or fails: for all n of a small run.
TEST(InterruptedRun, any_write_may_fail) {
  const fs::path folder = fresh_folder("faults");
  const std::string scene = scene_in(folder), whole = (folder / "whole").string();
  const std::string arguments = fmt::format(
      "run {} --steps 2 --set cuts=[] --set output.every=2 --frames vtu,npz,glb,pc2 --checkpoint-every 1 --threads 1",
      scene);
  ASSERT_EQ(brio(arguments + " -o " + whole).code, 0);
  const auto with_fault = [&](const std::string& fault, int at, const std::string& rest) {
    const std::string command =
        fmt::format("env LD_PRELOAD={} BRIO_FAULT={} BRIO_FAULT_AT={} BRIO_FAULT_COUNT={} {} {} > {} 2> {}",
                    BRIO_FAILING_WRITES, fault, at, (folder / "count").string(), BRIO_PROGRAM, rest,
                    (folder / "out").string(), (folder / "err").string());
    const int status = std::system(command.c_str());
    return Outcome{WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_text(folder / "out"), read_text(folder / "err")};
  };
  const std::string broken = (folder / "broken").string();
  ASSERT_EQ(with_fault("none", 1 << 20, arguments + " -o " + broken).code, 0);
  const int writes = std::stoi(read_text(folder / "count"));
  ASSERT_GT(writes, 30);
  ASSERT_EQ(with_fault("short", 1, arguments + " -o " + broken).code, 0);
  expect_same_results(whole, broken);
  for (const std::string fault : {"full", "broken"})
    for (int n = 1; n <= writes; ++n) {
      if (fault == "broken" && n % 4 != 0) continue;  // they take the same way, and processes take time
      fs::remove_all(broken);
      const Outcome outcome = with_fault(fault, n, arguments + " -o " + broken);
      SCOPED_TRACE(fmt::format("{} write {} of {}: {}", fault, n, writes, outcome.err));
      ASSERT_EQ(outcome.code, 4);
      EXPECT_NE(outcome.err.find("cannot write"), std::string::npos);
      expect_whole_files(broken);
      if (fault == "broken" || n % 3 != 0) continue;
      ASSERT_EQ(brio("resume " + broken + " --threads 1").code, 0);
      expect_same_results(whole, broken);
    }
}

TEST(InterruptedRun, a_folder_takes_one_run_at_a_time) {
  const fs::path folder = fresh_folder("lock"), out = folder / "out";
  const std::string scene = scene_in(folder);
  const pid_t child = started({"run", scene, "-o", out.string(), "--steps", "100000"});
  while (!fs::exists(out / "energy.csv") || lines_of(out / "energy.csv") < 3)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const std::string& command : {"run " + scene + " -o " + out.string(), "resume " + out.string()}) {
    const Outcome second = brio(command);
    EXPECT_EQ(second.code, 2);
    EXPECT_NE(second.err.find("another run is writing into this folder"), std::string::npos) << second.err;
  }
  const Outcome look = brio("report " + out.string());  // a look at a run that goes on is free
  EXPECT_EQ(look.code, 0);
  EXPECT_NE(look.out.find("still going on"), std::string::npos) << look.out;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

TEST(InterruptedRun, refuses_another_scene_and_says_what_differs) {
  const fs::path folder = fresh_folder("other"), out = folder / "out";
  const std::string scene = scene_in(folder);
  const std::string run = fmt::format("run {} -o {} --steps 5 ", scene, out.string());
  const Outcome first = brio(run + "--resume");  // a script need not know whether it has begun
  ASSERT_EQ(first.code, 0);
  EXPECT_NE(first.out.find("no run there yet; from the beginning"), std::string::npos) << first.out;
  const Outcome other = brio(run + "--resume --set integrator.h=0.002 --set materials[0].E=2e5");
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("integrator.h: 0.001 then, 0.002 now"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("materials[0].E: 100000.0 then, 200000.0 now"), std::string::npos) << other.err;
  EXPECT_NE(brio("resume " + out.string() + " --steps 3").err.find("at step 5 already"), std::string::npos);
  EXPECT_NE(brio("resume " + (folder / "nothing").string()).err.find("there is no run"), std::string::npos);
  EXPECT_NE(brio(run + "--checkpoint-every 3x").err.find("expected a number of steps"), std::string::npos);
}

/// A finished run that kept no checkpoint is not begun anew by who asks to go on with it.
TEST(InterruptedRun, without_checkpoints_results_are_safe) {
  const fs::path folder = fresh_folder("none"), out = folder / "out";
  const std::string scene = scene_in(folder);
  ASSERT_EQ(brio(fmt::format("run {} -o {} --steps 3 --checkpoint-every none", scene, out.string())).code, 0);
  const Outcome more = brio("resume " + out.string() + " --steps 5");
  EXPECT_EQ(more.code, 2);
  EXPECT_NE(more.err.find("no checkpoint was kept"), std::string::npos) << more.err;
  EXPECT_EQ(lines_of(out / "energy.csv"), 5);
}

/// The scene of a run is stored with it: its file may change or go.
TEST(InterruptedRun, goes_on_without_its_scene_file) {
  const fs::path folder = fresh_folder("gone");
  const std::string scene = scene_in(folder), whole = (folder / "whole").string(), out = (folder / "out").string();
  ASSERT_EQ(brio(fmt::format("run {} -o {} --steps 9", scene, whole)).code, 0);
  ASSERT_EQ(brio(fmt::format("run {} -o {} --steps 5", scene, out)).code, 0);
  fs::remove(scene);
  fs::rename(out, out + "-moved");
  ASSERT_EQ(brio(fmt::format("resume {}-moved --steps 9", out)).code, 0);
  expect_same_results(whole, out + "-moved");
}

/// A new run into an old folder leaves nothing there that is of both.
TEST(InterruptedRun, a_new_run_takes_what_the_old_one_said) {
  const fs::path folder = fresh_folder("anew"), out = folder / "out";
  const std::string scene = scene_in(folder);
  ASSERT_EQ(brio(fmt::format("run {} -o {} --steps 8", scene, out.string())).code, 0);
  const pid_t child = started({"run", scene, "-o", out.string(), "--steps", "100000"});
  while (fs::exists(out / "report.html")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(fs::exists(out / "summary.json"));
  EXPECT_FALSE(fs::exists(out / "checkpoint_0000000008.brio"));
}

/// A checkpoint that was damaged on the disk is said so, and the one before it serves.
TEST(InterruptedRun, a_damaged_checkpoint_is_not_used) {
  const fs::path folder = fresh_folder("damaged"), out = folder / "out", whole = folder / "whole";
  const std::string scene = scene_in(folder);
  ASSERT_EQ(brio(fmt::format("run {} -o {}", scene, whole.string())).code, 0);
  const pid_t child = started({"run", scene, "-o", out.string(), "--checkpoint-every", "4"});
  signaled(child, out / "energy.csv", 22, SIGKILL);
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(out))
    if (entry.path().extension() == ".brio") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_EQ(files.size(), 2u);
  std::fstream(files.back(), std::ios::in | std::ios::out | std::ios::binary).seekp(5000).put('?');
  const Outcome more = brio("resume " + out.string());
  EXPECT_EQ(more.code, 0) << more.err;
  EXPECT_NE(more.err.find("not used: it is damaged"), std::string::npos) << more.err;
  expect_same_results(whole, out);
}

TEST(InterruptedRun, says_when_nobody_can_hear_the_result) {
  const fs::path folder = fresh_folder("full-output");
  const std::string scene = scene_in(folder);
  const int status = std::system(fmt::format("'{}' run {} -o {} --steps 2 > /dev/full 2> {}", BRIO_PROGRAM, scene,
                                             (folder / "out").string(), (folder / "err").string())
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_NE(read_text(folder / "err").find("cannot write to the standard output"), std::string::npos);
  // More than the buffer of the output takes: it fails in the midst of the command.
  const int schema =
      std::system(fmt::format("'{}' schema > /dev/full 2> {}", BRIO_PROGRAM, (folder / "schema").string()).c_str());
  EXPECT_EQ(WEXITSTATUS(schema), 4);
  EXPECT_EQ(read_text(folder / "schema"), "brio: cannot write to the standard output: No space left on device\n");
}

/// A limit on the size of files is a full disk, not a death that leaves half a file.
TEST(InterruptedRun, a_limit_on_files_leaves_no_part) {
  const fs::path folder = fresh_folder("limit");
  const std::string scene = scene_in(folder);
  const std::string out = (folder / "out").string();
  const int status = std::system(fmt::format("ulimit -f 24; '{}' run {} -o {} > {} 2> {}", BRIO_PROGRAM, scene, out,
                                             (folder / "say").string(), (folder / "err").string())
                                     .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_NE(read_text(folder / "err").find("File too large"), std::string::npos) << read_text(folder / "err");
  expect_whole_files(out);
  EXPECT_EQ(brio("resume " + out).code, 0);
}

}  // namespace
}  // namespace brio::testing
