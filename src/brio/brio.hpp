#pragma once
// All of brio that a program or a plug-in needs. The headers named here are the public ones; the installed ones that
// they include in turn are details. SI units throughout.

// Values, options, errors.
#include "brio/core/error.hpp"
#include "brio/core/options.hpp"
#include "brio/core/types.hpp"
// A body: tetrahedra made, read and checked, and their masses.
#include "brio/mesh/formats/load_mesh.hpp"
#include "brio/mesh/generators/box.hpp"
#include "brio/mesh/tet_mesh.hpp"
// Constitutive laws: brio's own by name, and what it takes to write one.
#include "brio/material/isotropic_material.hpp"
#include "brio/material/materials.hpp"
#include "brio/material/volume_terms.hpp"
// Potential energies, prescribed motions, obstacles, loads.
#include "brio/energy/energy_table.hpp"
#include "brio/energy/solid_energy.hpp"
#include "brio/energy/spring_energy.hpp"
#include "brio/energy/vertex_energies.hpp"
#include "brio/system/load.hpp"
// The system of equations of motion, and methods that step it.
#include "brio/integrate/integrator.hpp"
#include "brio/integrate/parts/implicit_matrix.hpp"
#include "brio/system/engine.hpp"
#include "brio/system/nodal_system.hpp"
// Scene files: read, build, run, write down.
#include "brio/output/frames/frame.hpp"
#include "brio/output/scene_tables.hpp"
#include "brio/scene/run.hpp"
#include "brio/scene/scene.hpp"
#include "brio/scene/simulation.hpp"
// Laws, energies, integrators, loads and formats of your own, by name in scene files.
#include "brio/extend/load_plugin.hpp"
#include "brio/extend/plugin.hpp"
#include "brio/extend/registry.hpp"
