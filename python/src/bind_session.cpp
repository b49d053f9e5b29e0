// Simulations: stepping, arrays, matrices.

#include "brio/output/drawn_simulation.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "session.hpp"

namespace brio::python {
namespace {

using Release = py::call_guard<py::gil_scoped_release>;

py::tuple triple(const Vec3& v) { return py::make_tuple(v[0], v[1], v[2]); }

py::dict counters(const Report& report) {
  py::dict work;
  for (const WorkCounter& counter : work_counters()) work[py::str(counter.name)] = report.step.*counter.value;
  for (const Extras::Entry& extra : report.step.extras.entries()) {
    const bool choice = extra.what->value == Extra::Value::choice;
    work[py::str(extra.what->name)] =
        choice ? py::object(py::str(extra.what->label(extra.value))) : py::object(py::float_(extra.value));
  }
  return work;
}

py::dict phases(const Report& report) {
  const PhaseTimes& time = report.step.time;
  py::dict parts;
  parts["assembly"] = time.assembly;
  parts["factor"] = time.factor;
  parts["solve"] = time.solve;
  parts["other"] = time.other;
  return parts;
}

py::dict bodies_of(const Report& report, const Session& session) {
  py::dict all;
  for (size_t b = 0; b < report.record.bodies.size(); ++b) {
    const BodyBudget& budget = report.record.bodies[b];
    py::dict body;
    body["kinetic"] = budget.kinetic;
    body["potential"] = budget.potentials.total();
    body["total"] = budget.total();
    body["momentum"] = triple(budget.momentum.linear);
    body["center"] = triple(budget.center);
    all[py::str(session.simulation().bodies[b].name)] = body;
  }
  return all;
}

std::string shown(const Report& report) {
  const StepRecord& r = report.record;
  if (report.step.status != StepStatus::ok) return fmt::format("<brio.Report of step {}: diverged, {}>", r.step, report.step.reason);
  return fmt::format("<brio.Report of step {}: ok, t = {:g} s, kinetic {:.6g} J, potential {:.6g} J, total {:.6g} J, {:.3g} ms>", r.step,
                     r.time, r.kinetic, r.potentials.total(), r.total(), r.step_ms);
}

void bind_report(py::module_& m) {
  const auto number = [](double StepRecord::*member) {
    return [member](const Report& report) { return report.record.*member; };
  };
  py::class_<Report>(m, "Report", "What a step did, and the energies after it.")
      .def_property_readonly(
          "status",
          [](const Report& r) { return r.step.status == StepStatus::ok ? "ok" : "diverged"; },
          "\"ok\" or \"diverged\"")
      .def_property_readonly(
          "reason", [](const Report& r) { return r.step.reason; }, "what went wrong, when it did")
      .def_readonly("message", &Report::message, "the same with a remedy, for people")
      .def_property_readonly(
          "step", [](const Report& r) { return r.record.step; }, "steps taken since the start")
      .def_property_readonly("time", number(&StepRecord::time), "at the end of the step [s]")
      .def_property_readonly("kinetic", number(&StepRecord::kinetic), "of the free vertices [J]")
      .def_property_readonly(
          "elastic", [](const Report& r) { return r.record.potentials.elastic; }, "[J]")
      .def_property_readonly(
          "gravity", [](const Report& r) { return r.record.potentials.gravity; }, "[J]")
      .def_property_readonly(
          "contact", [](const Report& r) { return r.record.potentials.contact; }, "[J]")
      .def_property_readonly(
          "potential", [](const Report& r) { return r.record.potentials.total(); }, "elastic, gravity and contact [J]")
      .def_property_readonly(
          "total", [](const Report& r) { return r.record.total(); }, "kinetic and potential [J]")
      .def_property_readonly("injected", number(&StepRecord::injected),
                             "work of loads, forces and moving parts since the start [J]")
      .def_property_readonly("dissipated", number(&StepRecord::dissipated), "by damping and friction since the start [J]")
      .def_property_readonly(
          "momentum", [](const Report& r) { return triple(r.record.momentum.linear); }, "[kg m/s]")
      .def_property_readonly(
          "angular_momentum", [](const Report& r) { return triple(r.record.momentum.angular); },
          "about the origin [kg m^2/s]")
      .def_property_readonly("min_det_f", number(&StepRecord::min_det_f), "smallest volume over rest volume of an element")
      .def_property_readonly("inverted", number(&StepRecord::inverted), "share of the elements that are inside out")
      .def_property_readonly(
          "contacts", [](const Report& r) { return r.step.contacts; }, "pairs of surfaces that push each other")
      .def_property_readonly(
          "smallest_gap", [](const Report& r) { return r.step.smallest_gap; }, "among them [m]")
      .def_property_readonly(
          "seconds", [](const Report& r) { return 1e-3 * r.record.step_ms; }, "that the step took [s]")
      .def_property_readonly("timings", &phases, "of its parts [s]")
      .def_property_readonly("work", &counters, "factorizations, iterations, and what the method counts besides")
      .def("__repr__", &shown);
}

py::tuple triplets_tuple(const Triplets& t) {
  return py::make_tuple(py::array_t<int>(static_cast<py::ssize_t>(t.row.size()), t.row.data()),
                        py::array_t<int>(static_cast<py::ssize_t>(t.column.size()), t.column.data()),
                        py::array_t<double>(static_cast<py::ssize_t>(t.value.size()), t.value.data()));
}

/// (name, first vertex, vertices, elements, what they are called, tetrahedra, surface)
py::list describe_bodies(const Session& session) {
  py::list list;
  for (const Body& body : session.simulation().bodies)
    list.append(py::make_tuple(shown_name(body), body.first, body.vertices(), body.elements(), body.element_name(),
                               copied(body.mesh.T), copied(body.triangles)));
  return list;
}

/// Raises what a callback raised on the way, whatever else came of it.
template <class Function>
auto raising(const Function& function) {
  return [function](Session& session, auto... arguments) {
    std::optional<decltype(function(session, arguments...))> result;
    std::exception_ptr error;
    {
      const py::gil_scoped_release release;
      try {
        result.emplace(function(session, arguments...));
      } catch (...) {
        error = std::current_exception();
      }
    }
    session.errors().rethrow();
    if (error) std::rethrow_exception(error);
    return std::move(*result);
  };
}

/// What looks at the simulation while no other thread changes it.
template <class Function>
auto held(const Function& function) {
  return [function](Session& session) {
    const auto lock = session.hold();
    return function(session);
  };
}

}  // namespace

void bind_session(py::module_& m) {
  bind_report(m);
  py::class_<Session>(m, "Session")
      .def(py::init([](const Scene& scene) {
        std::unique_ptr<Session> session;
        {
          const py::gil_scoped_release release;
          session = std::make_unique<Session>(scene);
        }
        session->errors().rethrow();
        return session;
      }))
      .def("step", [call = raising([](Session& s) { return s.step(); })](Session& s) { return call(s); })
      .def("now", &Session::now, Release())
      .def("bodies_of",
           [](Session& s, const Report& report) {
             const auto lock = s.hold();
             return bodies_of(report, s);
           })
      .def("record", &Session::record, Release())
      .def("write_page",
           [call = raising([](Session& s, const std::string& file) { return s.write_page(file), true; })](
               Session& s, const std::string& file) { call(s, file); })
      .def("go_live",
           [call = raising([](Session& s, const std::string& host, int port) {
              return s.go_live({.host = host, .port = port, .framed = true});
            })](Session& s, const std::string& host, int port) { return call(s, host, port); })
      .def_property_readonly("is_live", held([](const Session& s) { return s.is_live(); }))
      .def_property_readonly("live_is_over", held([](const Session& s) { return s.live_is_over(); }))
      .def("end_live", [call = raising([](Session& s) { return s.end_live(); })](Session& s) { return call(s); })
      .def("stored",
           [](Session& s) {
             std::string bytes;
             {
               const py::gil_scoped_release release;
               bytes = s.stored();
             }
             return py::bytes(bytes);
           })
      .def("restore",
           [](Session& s, const py::bytes& stored) {
             const std::string bytes = stored;
             {
               const py::gil_scoped_release release;
               s.restore(bytes);
             }
             s.errors().rethrow();
           })
      .def("set_state",
           [](Session& s, const std::optional<Rows>& positions, const std::optional<Rows>& velocities) {
             const MatrixX3d x = positions ? matrix_of(*positions) : MatrixX3d();
             const MatrixX3d u = velocities ? matrix_of(*velocities) : MatrixX3d();
             {
               const py::gil_scoped_release release;
               s.set_state(positions ? &x : nullptr, velocities ? &u : nullptr);
             }
             s.errors().rethrow();
           })
      .def("drive",
           [](Session& s, const std::string& set, double x, double y, double z) {
             const py::gil_scoped_release release;
             s.drive(set, {x, y, z});
           })
      .def_property_readonly("generation", &Session::generation)
      .def("positions", held([](const Session& s) { return view_of(s.positions(), false); }))
      .def("velocities", held([](const Session& s) { return view_of(s.velocities(), false); }))
      .def("forces", held([](const Session& s) { return view_of(s.forces(), true); }))
      .def_property_readonly("time", held([](const Session& s) { return s.time(); }))
      .def_property_readonly("h", held([](const Session& s) { return s.simulation().h; }))
      .def_property_readonly("vertices", held([](const Session& s) { return s.simulation().vertices(); }))
      .def_property_readonly("elements", held([](const Session& s) { return s.simulation().elements(); }))
      .def_property_readonly("element_name", held([](const Session& s) { return s.simulation().element_name(); }))
      .def_property_readonly("notes", held([](const Session& s) { return s.simulation().notes; }))
      .def("rest", held([](const Session& s) { return copied(s.simulation().system->rest_positions()); }))
      .def("mass", held([](const Session& s) { return copied(s.simulation().system->vertex_mass()); }))
      .def("triangles", held([](const Session& s) { return copied(s.simulation().triangles); }))
      .def("tets", held([](const Session& s) { return copied(s.simulation().tetrahedra().T); }))
      .def("up", held([](const Session& s) { return triple(up_direction(*s.simulation().scene)); }))
      .def("bodies", held(describe_bodies))
      .def("sets", held([](const Session& s) {
             py::dict sets;
             for (const auto& [name, vertices] : s.simulation().sets) sets[py::str(name)] = copied(vertices);
             return sets;
           }))
      .def("free", held([](const Session& s) { return copied(s.free_vertices()); }))
      .def("stiffness",
           [call = raising([](Session& s, bool clamp) { return s.stiffness(clamp ? Psd::clamp : Psd::none); })](
               Session& s, bool clamp) { return triplets_tuple(call(s, clamp)); })
      .def("force", [call = raising([](Session& s) { return s.force(); })](Session& s) { return copied(call(s)); })
      .def("strain", [call = raising([](Session& s) { return s.strain(); })](Session& s) { return copied(call(s)); })
      .def("modes",
           [call = raising([](Session& s, int count) { return s.modes(count); })](Session& s, int count) {
             const auto [omega, shapes] = call(s, count);
             py::array_t<double, py::array::f_style> columns({shapes.rows(), shapes.cols()});
             std::copy(shapes.data(), shapes.data() + shapes.size(), columns.mutable_data());
             return py::make_tuple(copied(omega), columns);
           })
      .def("identity",
           [](const Session& s) {
             const RunIdentity& id = s.identity();
             return py::make_tuple(id.version, id.scene_file.string(), id.scene, id.bodies);
           })
      .def("refuse_other",
           [](const Session& s, const std::string& version, const std::string& file, const std::string& scene,
              const std::string& bodies) {
             refuse_other_run("checkpoint", {version, file, scene, bodies}, s.identity());
           });
}

}  // namespace brio::python
