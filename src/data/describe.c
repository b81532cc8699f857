/* What a data set is: sizes, balance, densities, checksum; for `ireland info`. */
#include "base/c_locale.h"
#include "base/contract.h"
#include "base/endian.h"
#include "base/fields.h"
#include "bits/kernels.h"
#include "data/source.h"
#include <inttypes.h>
#include <xxhash.h>

static void hash_parts(const irl_data *data, uint64_t hashes[IRL_N_PARTS]) {
  hashes[IRL_PART_NAMES] = XXH3_64bits(data->names.text, data->names.text_used);
  hashes[IRL_PART_LABELS] = irl_endian_hash(data->labels, irl_bits_stride(data->n_samples));
  for (int class = 0; class < 2; class ++) {
    const irl_bits_matrix *bits = class ? &data->controls : &data->cases;
    hashes[IRL_PART_CASES + class] = irl_endian_hash(bits->words, bits->n_vectors * bits->stride);
  }
}

irl_status irl_data_describe(const irl_data *data, irl_data_info *info) {
  if (!data || !irl_sized_is_set(info)) return IRL_STATUS_BAD_ARGUMENT;
  const irl_kernels *kernels = irl_bits_kernels();
  const double n = data->n_samples;
  /* Ones in all features, in the sparsest and in the densest. */
  uint64_t total = 0, most = 0, least = UINT64_MAX, hashes[IRL_N_PARTS];
  for (uint32_t j = 0; j < data->n_features; j++) {
    const uint64_t ones =
        kernels->count(irl_bits_vector(&data->cases, j), data->cases.stride) +
        kernels->count(irl_bits_vector(&data->controls, j), data->controls.stride);
    total += ones;
    if (ones < least) least = ones;
    if (ones > most) most = ones;
  }
  hash_parts(data, hashes);
  const irl_data_info made = {.samples = data->n_samples,
                              .features = data->n_features,
                              .cases = data->n_cases,
                              .controls = data->n_controls,
                              .density =
                                  data->n_features ? (double)total / n / data->n_features : 0,
                              .sparsest = data->n_features ? (double)least / n : 0,
                              .densest = (double)most / n,
                              .checksum = irl_endian_hash(hashes, IRL_N_PARTS),
                              .has_labels = data->has_labels,
                              .target = data->target,
                              .positive = data->positive,
                              .negative = data->negative};
  return irl_sized_copy_out(info, &made, sizeof made);
}

uint64_t irl_data_checksum(const irl_data *data) {
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_data_describe(data, &info);
  if (!irl_data_has_weights(data)) return info.checksum;
  const uint64_t hashes[] = {
      info.checksum, irl_endian_hash((const uint64_t *)data->weights[0].each, data->n_cases),
      irl_endian_hash((const uint64_t *)data->weights[1].each, data->n_controls)};
  return irl_endian_hash(hashes, sizeof hashes / sizeof *hashes);
}

const char *irl_data_feature(const irl_data *data, uint32_t feature) {
  return data && feature < data->n_features ? irl_names_get(&data->names, feature) : NULL;
}

int irl_data_label(const irl_data *data, uint32_t sample) {
  if (!data || !data->has_labels || sample >= data->n_samples) return -1;
  return irl_bits_get(data->labels, sample);
}

void irl_text_print_class(irl_text *text, const char *class, uint64_t n, uint64_t all,
                          const char *target, const char *label) {
  irl_text_printf(text, "%-9s %" PRIu64 " (%.1f %%), %s = %s\n", class, n,
                  100 * (double)n / (double)all, target, label);
}

static const irl_field data_fields[] =
    IRL_FIELDS(irl_data_info, samples, features, cases, controls, target, positive, negative,
               density, sparsest, densest);

irl_status irl_data_render(irl_env *env, const irl_data *data, irl_format format, char **out) {
  IRL_NEED(env, "env, data, text", env, data, out);
  IRL_NEED_FORMAT(env, format);
  irl_data_info info = IRL_SIZED(irl_data_info);
  irl_text text;
  irl_json json;
  char checksum[20];
  irl_data_describe(data, &info);
  irl_c_snprintf(checksum, sizeof checksum, "%016" PRIx64, info.checksum);
  if (format == IRL_FORMAT_JSON) {
    irl_json_init(&json, env);
    irl_json_open(&json, NULL, '{');
    irl_fields_put(&json, data_fields, &info);
    irl_json_string(&json, "checksum", checksum);
    irl_json_close(&json, '}');
    return irl_json_take(&json, out);
  }
  irl_text_init(&text, env);
  irl_fields_print(&text, data_fields, &info, "samples   {samples}\nfeatures  {features}\n");
  irl_text_print_class(&text, "cases", info.cases, info.samples, info.target, info.positive);
  irl_text_print_class(&text, "controls", info.controls, info.samples, info.target, info.negative);
  irl_fields_print(&text, data_fields, &info,
                   "density   {density:.4f} (by feature {sparsest:.4f} to {densest:.4f})\n");
  irl_text_printf(&text, "checksum  %s\n", checksum);
  return irl_text_take_shown(&text, out);
}
