/* Reading a file of any format. */
#include "base/c_locale.h"
#include "base/limit.h"
#include "base/memory.h"
#include "data/shard.h"
#include "read/formats.h"
#include "table/raw_table.h"

const irl_file_format *irl_file_format_find(const char *path) {
  static const irl_file_format formats[] = {
      {"csv", IRL_FROM_TEXT, IRL_WRITE_CSV, false, irl_csv_read, true},
      {"tsv", IRL_FROM_TEXT, IRL_WRITE_TSV, false, irl_csv_read, true},
      {"txt", IRL_FROM_TEXT, IRL_WRITE_TSV, false, irl_csv_read, true},
      {"arff", IRL_FROM_ARFF, IRL_WRITE_NOT, false, irl_arff_read, false},
      {"svm", IRL_FROM_LIBSVM, IRL_WRITE_LIBSVM, false, irl_libsvm_read, false},
      {"libsvm", IRL_FROM_LIBSVM, IRL_WRITE_LIBSVM, false, irl_libsvm_read, false},
      {"bed", IRL_FROM_BED, IRL_WRITE_NOT, true, irl_plink_read, true},
      {"vcf", IRL_FROM_VCF, IRL_WRITE_NOT, true, irl_vcf_read, false},
      {"bcf", IRL_FROM_VCF, IRL_WRITE_NOT, true, irl_bcf_read, false},
      {"raw", IRL_FROM_COUNTS, IRL_WRITE_NOT, true, irl_counts_read, false},
      {"irb", IRL_FROM_IRB, IRL_WRITE_IRB, true, irl_irb_read, true},
  };
  static const irl_file_format other = {"",    IRL_FROM_TEXT, IRL_WRITE_NOT,
                                        false, irl_csv_read,  true};
  char extension[16];
  irl_file_extension(path, extension);
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (!strcmp(extension, formats[i].extension)) return &formats[i];
  return &other;
}

unsigned irl_source_input(const char *path) {
  return irl_file_format_find(path)->input;
}

irl_position irl_place_find(irl_place place) {
  irl_position found;
  irl_text_place(place.text, (size_t)(place.at - place.text), &found.line, &found.column);
  if (found.line == 1) found.column += place.before.column;
  found.line += place.before.line;
  return found;
}

irl_status irl_source_fail(irl_env *env, irl_place place, const char *format, ...) {
  char what[IRL_ERROR_SIZE];
  const irl_position spot = irl_place_find(place);
  va_list arguments;
  va_start(arguments, format);
  irl_c_vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s:%zu:%zu: %s", place.path, spot.line, spot.column,
                  what);
}

irl_status irl_source_check_target(irl_env *env, const irl_source *source, const char *target) {
  const char *named = source->options ? source->options->data.target : NULL;
  if (!named || !target || !strcmp(named, target)) return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_INPUT, "%s: the labels are '%s', not '%s'", source->path,
                  target, named);
}

/* Are the classes to be swapped, so that the cases have the wanted label? */
static irl_status find_swap(irl_env *env, const irl_source *source, const irl_data_labels *called,
                            bool *is_swapped) {
  /* A file of two labels has no others to be called the rest. */
  const char *wanted = source->vs_rest ? source->vs_rest : source->positive;
  *is_swapped = false;
  const irl_status status = irl_source_check_target(env, source, called->target);
  if (status) return status;
  if (source->target && strcmp(source->target, called->target))
    irl_log(env, IRL_LOG_WARNING, "%s: the labels are '%s'; target '%s' is ignored", source->path,
            called->target, source->target);
  if (!wanted || !strcmp(wanted, called->positive)) return IRL_STATUS_OK;
  *is_swapped = !strcmp(wanted, called->negative);
  if (*is_swapped) return IRL_STATUS_OK;
  const char *const names[] = {called->negative, called->positive};
  const char *nearest = irl_suggest(wanted, names, 2);
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: no label is '%s'; they are '%s' and '%s'" IRL_HINT, source->path, wanted,
                  called->negative, called->positive, IRL_HINT_OF(nearest));
}

static irl_status read_whole(irl_env *env, const irl_source *source, irl_table *table) {
  const irl_file_format *format = irl_file_format_find(source->path);
  irl_status status = format->read(env, source, table);
  if (!status && format->input == IRL_FROM_LIBSVM)
    return irl_source_check_target(env, source, table->target);
  if (status || !format->carries_labels) return status;
  if (source->no_labels) { /* the labels go, the samples stay */
    table->has_labels = false;
    irl_mem_free(&table->allocator, table->labels);
    table->labels = NULL;
    return IRL_STATUS_OK;
  }
  if (!table->has_labels) return IRL_STATUS_OK;
  const irl_data_labels called = {table->target, table->positive, table->negative, false};
  bool is_swapped;
  status = find_swap(env, source, &called, &is_swapped);
  if (status || !is_swapped) return status;
  IRL_SWAP(table->positive, table->negative);
  for (uint32_t i = 0; i < table->n_samples; i++) table->labels[i] = !table->labels[i];
  return IRL_STATUS_OK;
}

irl_status irl_source_check_grid(irl_env *env, const irl_source *source) {
  if (!source->options || !source->options->data.grid || irl_comm_is_parallel(env))
    return IRL_STATUS_OK;
  return irl_fail(env, IRL_STATUS_BAD_ARGUMENT,
                  "option grid divides data over several processes, and this is one alone");
}

/* ---- division over processes ---- */

#define LEAST_CELLS 1024u /* of a text that is worth it */

/* Do options of genotypes choose people or variants? */
static bool has_choice(const irl_options *options) {
  size_t n;
  const irl_option_info *table = irl_options_table(&n);
  for (size_t i = 0; i < n; i++)
    if (table[i].offset >= offsetof(irl_options, genotypes) &&
        irl_option_is_set(&table[i], options))
      return true;
  return false;
}

/* Columns of 0/1, or PLINK's, whose features say by their names what they are. */
static bool may_divide(const irl_source *source, const irl_table *table) {
  const irl_file_format *format = irl_file_format_find(source->path);
  const double n_cells = (double)table->n_samples * (double)table->names.n;
  return format->may_divide && source->options && !source->is_typed && !source->no_labels &&
         !source->only && strcmp(source->path, "-") && !has_choice(source->options) &&
         table->has_labels && (format->input == IRL_FROM_BED || irl_table_is_binary(table)) &&
         (format->input != IRL_FROM_TEXT || n_cells >= LEAST_CELLS);
}

/* The table becomes one of divided data, unless it has to be whole. */
static irl_status divide(irl_env *env, const irl_source *source, irl_table **table) {
  irl_coding *coding = NULL;
  irl_table *divided = NULL;
  const char *option = source->options ? irl_shard_needs_whole(source->options) : NULL;
  const bool is_fit = may_divide(source, *table);
  if (option)
    irl_log(env, IRL_LOG_NOTE, "option %s: the first process works alone, on the whole data",
            option);
  else if (!is_fit)
    irl_log(env, IRL_LOG_NOTE, "%s is not divided: the first process works on all of it",
            source->path);
  if (option || !is_fit) return IRL_STATUS_OK;
  irl_status status = irl_table_create(env, source, &divided);
  if (!status) status = irl_table_code(env, *table, NULL, source->options, &coding);
  if (!status) status = irl_table_data(env, *table, coding, NULL, &divided->divided);
  irl_coding_free(coding);
  if (!status) IRL_SWAP(*table, divided);
  irl_table_free(divided);
  return status ? status : irl_shard_divide(env, source, (*table)->divided);
}

/* The limits of the options count; those of several processes are the first one's, which reads for
 * all. */
irl_status irl_source_read(irl_env *env, const irl_source *source, irl_table **out) {
  irl_limit limit;
  irl_table *table;
  irl_status status = irl_source_check_grid(env, source);
  if (!status) status = irl_table_create(env, source, &table);
  if (status) return status;
  if (source->options) irl_reading_begin(env, &limit, source->options);
  const irl_options *options = source->only ? NULL : source->options;
  status = read_whole(env, source, table);
  if (!status && options && options->data.strata)
    status = irl_table_stratify(env, table, options->data.strata);
  if (!status && options && (options->data.group || options->data.fold_column))
    status = irl_table_set_groups(env, table, options);
  if (!status && options) status = irl_table_accepts(env, table, options);
  if (!status && irl_comm_is_parallel(env) && !irl_comm_rank(env))
    status = divide(env, source, &table);
  if (!status && !irl_reading_affords(env, 0)) status = irl_reading_fail(env, source->path);
  irl_reading_end(env, &limit);
  assert(status || irl_table_check(table));
  if (status)
    irl_table_free(table);
  else
    *out = table;
  return status;
}
