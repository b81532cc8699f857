// From C++: a search with progress and a cancel button in another thread, a proof with its
// certificate, predictions of a file block by block, and a linear program solved again.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <ireland_data.h>
#include <ireland_model.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

template <auto Free> struct Deleter {
  template <class T> void operator()(T *handle) const {
    Free(handle);
  }
};
template <class T, auto Free> using Handle = std::unique_ptr<T, Deleter<Free>>;
using Env = Handle<irl_env, irl_env_free>;
using Data = Handle<irl_data, irl_data_free>;
using Fit = Handle<irl_fit_result, irl_fit_free>;
using Certificate = Handle<irl_certificate, irl_certificate_free>;
using Stream = Handle<irl_stream, irl_stream_free>;
using Model = Handle<irl_model, irl_model_free>;

static void check(irl_status status, const Env &env) {
  if (status != IRL_STATUS_OK) throw std::runtime_error(irl_env_error(env.get()));
}

static irl_options make_options(int samples, int features, double noise) {
  irl_options options;
  irl_options_init(&options, sizeof options);
  options.data.N = samples;
  options.data.J = features;
  options.data.noise = noise;
  return options;
}

static Data generate(const Env &env, const irl_options &options) {
  irl_data *data = nullptr;
  check(irl_generate(env.get(), &options, &data, nullptr), env);
  return Data(data);
}

static Fit fit(const Env &env, const Data &data, const irl_options &options) {
  irl_fit_result *result = nullptr;
  check(irl_fit(env.get(), data.get(), &options, &result), env);
  return Fit(result);
}

// Called from the thread that learns; a window would draw a bar here.
static int on_progress(void *calls, const irl_progress *) {
  ++*static_cast<unsigned *>(calls);
  return 0;
}

static void learn_until_cancelled(const Env &env) {
  irl_options options = make_options(2000, 1000, 0.2);
  options.rule.K = 5;
  options.rule.M = 4;
  options.search.prove = true; // which would take long
  const Data data = generate(env, options);
  unsigned calls = 0;
  irl_env_set_progress(env.get(), on_progress, &calls);
  std::thread button([&env] {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    irl_env_stop(env.get());
  });
  const Fit result = fit(env, data, options);
  button.join();
  irl_env_clear_stop(env.get());
  irl_env_set_progress(env.get(), nullptr, nullptr);
  irl_fit_info info = IRL_SIZED(irl_fit_info);
  check(irl_fit_describe(result.get(), &info), env);
  std::cout << irl_outcome_text(info.outcome) << (calls ? " with" : " without") << " progress\n";
}

static Fit prove(const Env &env, const Data &data, irl_options options) {
  options.rule.K = options.rule.M = 2;
  options.search.prove = options.search.certificate = true;
  Fit result = fit(env, data, options);
  char *text = nullptr;
  check(irl_fit_certificate(env.get(), result.get(), &text), env);
  const irl_bytes bytes = {text, std::strlen(text), "the certificate"};
  irl_certificate *raw = nullptr;
  check(irl_certificate_parse(env.get(), &bytes, &raw), env);
  const Certificate certificate(raw);
  irl_verification found = IRL_SIZED(irl_verification);
  check(irl_verify(env.get(), irl_fit_rule(result.get()), data.get(), &options, certificate.get(),
                   &found),
        env);
  std::cout << (found.valid ? "valid" : found.reason) << ", " << bytes.size << " bytes\n";
  irl_text_free(env.get(), text);
  return result;
}

static void predict(const Env &env, const irl_rule *rule, const std::string &path) {
  const irl_options options = make_options(2, 1, 0);
  irl_stream *raw = nullptr;
  check(irl_stream_open_file(env.get(), path.c_str(), &options, rule, false, &raw), env);
  const Stream stream(raw);
  unsigned cases = 0;
  for (;;) {
    irl_data *block = nullptr;
    check(irl_stream_next(env.get(), stream.get(), 64, &block), env);
    if (!block) break;
    const Data rows(block);
    const auto count = [](void *user, const irl_verdict *verdict) {
      *static_cast<unsigned *>(user) += verdict->predicted ? 1u : 0u;
      return 0;
    };
    check(irl_predict(env.get(), rule, rows.get(), count, &cases), env);
  }
  std::cout << cases << " of " << irl_stream_n_samples(stream.get()) << " rows\n";
}

static void solve_twice(const Env &env) {
  irl_model *raw = nullptr;
  check(irl_model_create(env.get(), &raw), env);
  const Model model(raw);
  irl_variable columns[2] = {IRL_SIZED(irl_variable), IRL_SIZED(irl_variable)};
  columns[0].cost = 3;
  columns[1].cost = 2;
  columns[0].upper = columns[1].upper = INFINITY;
  check(irl_model_add_columns(env.get(), model.get(), 2, columns), env);
  const std::uint32_t both[] = {0, 1};
  const double ones[] = {1, 1};
  irl_constraint row = IRL_SIZED(irl_constraint);
  row.lower = 4;
  row.upper = INFINITY;
  row.n_entries = 2;
  row.columns = both;
  row.values = ones;
  check(irl_model_add_rows(env.get(), model.get(), 1, &row), env);
  const irl_options options = make_options(2, 1, 0);
  irl_solution solution = IRL_SIZED(irl_solution);
  for (double most : {static_cast<double>(INFINITY), 3.0}) { // the second from the first's basis
    check(irl_model_set_bounds(env.get(), model.get(), 1, 0, most), env);
    check(irl_model_solve(env.get(), model.get(), &options, &solution), env);
    std::cout << "cost " << solution.objective << '\n';
  }
}

int main(int n, char **words) try {
  irl_env *raw = nullptr;
  if (irl_env_create(nullptr, &raw) != IRL_STATUS_OK) return 1;
  const Env env(raw);
  const std::string path = n > 1 ? words[1] : "tour.csv";
  const irl_options options = make_options(300, 40, 0.05);
  const Data data = generate(env, options);
  learn_until_cancelled(env);
  const Fit proven = prove(env, data, options);
  check(irl_data_write(env.get(), data.get(), path.c_str()), env);
  predict(env, irl_fit_rule(proven.get()), path);
  solve_twice(env);
  return 0;
} catch (const std::exception &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
