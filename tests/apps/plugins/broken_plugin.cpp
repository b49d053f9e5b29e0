// Plug-ins that brio must refuse; BROKEN says how each is broken.

#if BROKEN >= 2
#include <brio/extend/plugin.hpp>
#include <stdexcept>
#else  // these never come so far that they would need brio's headers
namespace brio {
class Registry;
}
#endif

#if BROKEN == 0  // built for another brio
extern "C" const char* brio_plugin_abi() { return "brio 0.0.1"; }
extern "C" void brio_plugin_register(brio::Registry&) {}
#elif BROKEN == 1  // no plug-in
extern "C" int brio_plugin_nothing() { return 0; }
#elif BROKEN == 2  // throws
BRIO_PLUGIN(registry) {
  registry.add_integrator({{"fine", "is registered", {}}, {}, {}});
  throw std::runtime_error("no license");
}
#else              // takes a name that brio has
BRIO_PLUGIN(registry) { registry.add_integrator({{"si", "mine", {}}, {}, {}}); }
#endif
