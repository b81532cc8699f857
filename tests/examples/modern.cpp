// The library from C++: handles in unique_ptr, statuses as exceptions, typed columns from vectors.
#include <cmath>
#include <iostream>
#include <ireland.h>
#include <ireland_data.h>
#include <memory>
#include <stdexcept>
#include <vector>

template <auto Free> struct Deleter {
  template <class T> void operator()(T *handle) const {
    Free(handle);
  }
};
using Env = std::unique_ptr<irl_env, Deleter<irl_env_free>>;
using Table = std::unique_ptr<irl_table, Deleter<irl_table_free>>;
using Fit = std::unique_ptr<irl_fit_result, Deleter<irl_fit_free>>;

static void check(irl_status status, const Env &env) {
  if (status != IRL_STATUS_OK) throw std::runtime_error(irl_env_error(env.get()));
}

int main() try {
  irl_env *raw_env = nullptr;
  if (irl_env_create(nullptr, &raw_env) != IRL_STATUS_OK) return 1;
  const Env env(raw_env);

  std::vector<double> age, smokes;
  std::vector<std::uint8_t> ill;
  for (int i = 0; i < 100; i++) {
    age.push_back(i % 17 == 3 ? std::nan("") : 20 + i % 60);
    smokes.push_back(i % 3 == 0);
    ill.push_back(age.back() > 50 && i % 3 == 0);
  }
  irl_column_view columns[2] = {IRL_SIZED(irl_column_view), IRL_SIZED(irl_column_view)};
  columns[0].name = "age";
  columns[0].type = IRL_COLUMN_NUMBER;
  columns[0].numbers = age.data();
  columns[1].name = "smokes";
  columns[1].type = IRL_COLUMN_BINARY;
  columns[1].numbers = smokes.data();
  irl_table_view view = IRL_SIZED(irl_table_view);
  view.n_samples = static_cast<std::uint32_t>(age.size());
  view.n_columns = 2;
  view.columns = columns;
  view.labels = ill.data();

  irl_options options;
  irl_options_init(&options, sizeof options);
  check(irl_options_set(env.get(), &options, "K", "1"), env);
  check(irl_options_set(env.get(), &options, "cuts", "all"), env);
  irl_table *raw_table = nullptr;
  check(irl_table_from_columns(env.get(), &view, &options, &raw_table), env);
  const Table table(raw_table);
  irl_fit_result *raw_fit = nullptr;
  check(irl_fit_table(env.get(), table.get(), &options, &raw_fit), env);
  const Fit fit(raw_fit);

  char *text = nullptr;
  check(irl_rule_render(env.get(), irl_fit_rule(fit.get()), IRL_FORMAT_TEXT, &text), env);
  std::cout << text << '\n';
  irl_text_free(env.get(), text);
} catch (const std::exception &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
