#include "brio/core/error.hpp"
#include "brio/core/file.hpp"
#include "brio/extend/load_plugin.hpp"
#include "brio/linalg/blas_setup.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "start_ranks.hpp"
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <system_error>

namespace {

constexpr const char* kAbout = "brio: deformable bodies that stay alive at large time steps";

constexpr const char* kFooter = R"(Examples:
  brio run scenes/bar-5k.json                         writes out/ and says which file to open
  brio run scenes/bar-5k.json -o out/stiff --set materials[0].E=5e6 --frames obj
  mpirun -n 4 brio run scenes/bar-98k.json --engine petsc  on four processes, here or on a cluster
  brio resume out/stiff                               go on with a run that was broken off
  brio report out/stiff                               the page of what it has left so far
  brio compare scenes/bar-1k.json --integrators si,be,newmark:gamma=0.6 --reference im@0.001
                                                      the same scene with each, side by side in out/compare.html
  brio live scenes/bar-1k.json --integrators si,glim  the same in a browser, moving, to take in your hand
  brio advise scenes/bar-1k.json --apply better.json  which integrator and step suit it, by short trials
  brio quasistatic scenes/bar-5k.json -o out/rest     the shape at rest under its weight
  brio modes scenes/bar-5k.json -s 12                 its slowest vibrations, moving in out/modes.html
  brio damping -o out/damping                         what each integrator's step does to a vibration
  brio mesh bunny -o bunny.msh --vertices 5000        tetrahedra for a named shape, a shape file or a closed surface
  brio converge scenes/twisted-bar.json --frame 5     how fast each solver finds an implicit step
  brio converge-mesh scenes/bar-1k.json               what finer meshes and quadratic elements make of it
  brio reproduce siere -o out/papers                  the figures of a paper, ours beside the printed numbers
  brio material scenes/fiber-bar.json                 stress and energy of the scene's materials
  brio info body.msh -o out/body                      counts, quality and problems of a mesh file, and a page
  brio convert body.veg body.msh                      between the formats of `brio list formats`
  brio check scenes/rope.json                         what run would refuse, and warnings
  brio list materials                                 every law with its options
  brio run scene.json --plugin libmine.so             a scene that names laws or methods of a plug-in
  brio schema > scene.schema.json                     for editors that complete and check JSON

Exit codes: 0 done; 1 unexpected failure; 2 wrong usage, or the input was refused; 3 the simulation diverged, no rest
shape was found, or no trial of advise got through; 4 results could not be written (disk full); 130 interrupted. What
was computed until then is on disk in the last three cases, and `brio resume` goes on with a run that was interrupted or
could not be written. For compare, a method that diverges is a result like any other (0); 1 says that a method could not
be run.)";

int cannot_say(const std::string& reason, int code) {
  return brio::report("cannot write to the standard output: " + reason, code == brio::kOk ? brio::kCannotWrite : code);
}

/// A result that nobody could be told is not a success.
int with_output(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  const std::string reason = std::strerror(errno);
  return cannot_say(reason, code);
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of its write, and tidied up like one
  brio::ensure_fast_blas(argv);
  brio::CommandLine app(kAbout, "brio", "brio " BRIO_VERSION);
  app.footer(kFooter);
  std::vector<std::string> plugins;
  app.add_option(
         "--plugin", plugins,
         "a shared library with laws, energies, integrators, loads or formats of your own; may be given several "
         "times")
      ->type_name("FILE.so")
      ->allow_extra_args(false);
  brio::Command command;
  brio::add_run(app, command);
  brio::add_resume(app, command);
  brio::add_report(app, command);
  brio::add_compare(app, command);
  brio::add_live(app, command);
  brio::add_advise(app, command);
  brio::add_quasistatic(app, command);
  brio::add_modes(app, command);
  brio::add_damping(app, command);
  brio::add_reproduce(app, command);
  brio::add_mesh(app, command);
  brio::add_converge(app, command);
  brio::add_converge_mesh(app, command);
  brio::add_material(app, command);
  brio::add_info(app, command);
  brio::add_convert(app, command);
  brio::add_check(app, command);
  brio::add_list(app, command);
  brio::add_schema(app, command);
  bool refused = false;
  try {
    brio::take_engine_options(argc, argv);
    brio::start_ranks(argc, argv);
    if (!app.parse(argc, argv, refused)) return refused ? brio::kRefused : brio::kOk;
    for (const std::string& file : plugins) brio::load_plugin(file);
    return with_output(command());
  } catch (const brio::WriteError& error) {
    return brio::fail_once(error.what(), brio::kCannotWrite);
  } catch (const brio::Error& error) {
    return brio::fail_once(error.what(), brio::kRefused);
  } catch (const std::bad_alloc&) {
    return brio::fail_once("out of memory; the scene is too large for this machine", brio::kUnexpected);
  } catch (const std::system_error& error) {  // printing more than the output's buffer takes
    if (std::ferror(stdout) != 0) return cannot_say(error.code().message(), brio::kOk);
    return brio::fail_once(fmt::format("unexpected: {}", error.what()), brio::kUnexpected);
  } catch (const std::exception& error) {
    return brio::fail_once(fmt::format("unexpected: {}", error.what()), brio::kUnexpected);
  }
}
