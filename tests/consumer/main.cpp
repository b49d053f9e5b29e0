// The sample of the README.

#include <brio/brio.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  brio::Scene scene = brio::load_scene(argv[1], brio::scene_tables(), {"steps=20"});
  brio::Simulation simulation = brio::build_simulation(scene);

  brio::RunListener listener;
  listener.on_step = [](const brio::StepRecord& r) {
    if (r.step % 10 == 0) std::printf("%.2f s: %.4f J\n", r.time, r.total());
  };
  const brio::RunResult result = brio::run(simulation, listener);
  return result.status == brio::RunStatus::finished ? 0 : 1;
}
