#include "run_sink.h"

#include <utility>

#include "results_file.h"
#include <fmt/format.h>

namespace trammel::python {
namespace py = pybind11;

double Sample::value(const std::string& name) const {
  if (name == "time") return time;
  const auto found = channels->places.find(name);
  if (found != channels->places.end()) return values[found->second];
  return values[results::select(channels->list, {name}).front()];  // throws, or finds by a pattern
}

RunSink::RunSink(std::unique_ptr<results::Sink> file, py::object callback, CallbackState& state)
    : file_(std::move(file)), callback_(std::move(callback)), state_(state) {}

RunSink::~RunSink() {
  with_file([](std::unique_ptr<results::Sink>& file) { file.reset(); });
}

template <class Work>
void RunSink::with_file(const Work& work) {
  if (!file_) return;
  const std::lock_guard<std::mutex> lock(results_file_mutex());
  work(file_);
}

void RunSink::begin(const std::vector<results::Channel>& channels,
                    const results::RunInformation& info) {
  memory_.begin(channels, info);
  with_file([&](const auto& file) { file->begin(channels, info); });
  if (callback_.is_none()) return;
  auto shared = std::make_shared<SampleChannels>();
  shared->list = channels;
  for (std::size_t i = 0; i < channels.size(); ++i) shared->places[channels[i].name] = i;
  channels_ = std::move(shared);
}

void RunSink::append(double time, const double* values) {
  state_.time = time;
  memory_.append(time, values);
  with_file([&](const auto& file) { file->append(time, values); });
  if (channels_ && !state_.failed()) call(time, values);
}

void RunSink::call(double time, const double* values) {
  const py::gil_scoped_acquire gil;
  // Somebody may have kept the last one.
  if (!sample_ || python_sample_.ref_count() > 1) {
    sample_ = std::make_shared<Sample>();
    sample_->channels = channels_;
    sample_->values.resize(channels_->list.size());
    python_sample_ = py::cast(sample_);
  }
  sample_->time = time;
  std::copy_n(values, sample_->values.size(), sample_->values.begin());
  const auto result =
      py::reinterpret_steal<py::object>(PyObject_CallOneArg(callback_.ptr(), python_sample_.ptr()));
  if (!result) {
    state_.fail("callback of simulate", fmt::format("callback(sample at t = {:.6g} s)", time));
  } else if (result.ptr() == Py_True) {
    state_.stop() = true;
  }
}

void RunSink::annotate(const std::map<std::string, std::string>& texts) {
  memory_.annotate(texts);
  with_file([&](const auto& file) { file->annotate(texts); });
}

void RunSink::finish(results::Outcome outcome,
                     const std::string& message,
                     const std::map<std::string, double>& statistics) {
  finished_ = true;
  const bool failed = state_.failed();
  const results::Outcome shown = failed ? results::Outcome::failed : outcome;
  const std::string& reason = failed ? state_.message() : message;
  memory_.finish(shown, reason, statistics);
  waiting_ = {shown, reason, statistics};
}

void RunSink::conclude() {
  if (!waiting_) return;
  const Ending ending = *std::exchange(waiting_, std::nullopt);
  with_file(
      [&](const auto& file) { file->finish(ending.outcome, ending.message, ending.statistics); });
}

results::Table RunSink::take() {
  conclude();
  with_file([](std::unique_ptr<results::Sink>& file) { file.reset(); });
  results::Table table = memory_.take();
  if (!finished_) table.outcome = results::Outcome::failed;
  return table;
}

}  // namespace trammel::python
