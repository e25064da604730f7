// A model that runs while somebody looks at it, for notebooks: the server of `trammel view` in a
// thread of its own.
#include <atomic>
#include <thread>

#include "errors.h"
#include "live_run.h"
#include "parts.h"
#include <pybind11/stl.h>

#include "trammel/core/diagnostic.h"
#include "trammel/report/view_server.h"
#include "trammel/report/viewer_bundle.h"

namespace trammel::python {
namespace py = pybind11;
namespace {

class LiveView {
 public:
  LiveView(const std::string& path, bool allow_outside, int port) {
    if (report::viewer_bundle().empty()) {
      throw core::InputError("this package was built without the viewer",
                             "install Node.js and npm, then build it again");
    }
    server_ = std::make_unique<report::ViewServer>(
        std::make_unique<cli::LiveRun>(path, std::vector<std::string>{}, allow_outside), port);
    thread_ = std::thread([this] { server_->serve(stop_); });
  }
  ~LiveView() { close(); }
  LiveView(const LiveView&) = delete;
  LiveView& operator=(const LiveView&) = delete;

  std::string address() const { return server_->address(); }
  bool running() const { return thread_.joinable(); }
  void close() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> stop_{false};
  std::unique_ptr<report::ViewServer> server_;
  std::thread thread_;
};

}  // namespace

void bind_view(py::module_& module) {
  py::class_<LiveView>(module, "LiveView")
      .def(py::init<const std::string&, bool, int>(), py::arg("path"), py::arg("allow_outside"),
           py::arg("port"))
      .def_property_readonly("address", &LiveView::address)
      .def_property_readonly("running", &LiveView::running)
      .def("close", &LiveView::close, py::call_guard<py::gil_scoped_release>());
}

}  // namespace trammel::python
