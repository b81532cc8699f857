/* Reading CSV and TSV. The header gives names and the column of labels (csv_header.c), the rest is
 * for the typed reader (typed_body.c), which takes files of 0/1 at the speed of memory
 * (typed_bits.c). */
#include "read/typed.h"

irl_status irl_csv_find_text(csv_plan *plan, const char *bytes, size_t size, csv_piece *whole) {
  *whole = (csv_piece){.start = bytes, .end = bytes + size};
  if (size >= 3 && !memcmp(whole->start, "\xef\xbb\xbf", 3)) whole->start += 3;
  plan->text = whole->start;
  plan->end = whole->end;
  whole->start = irl_csv_skip_blank_lines(whole->start, whole->end);
  if (whole->start < whole->end) return IRL_STATUS_OK;
  return irl_csv_fail(plan, plan->text, "the file is empty");
}

irl_status irl_csv_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_file file;
  csv_piece whole;
  typed_plan plan = {.csv = {.env = env, .source = source}, .table = table};
  irl_status status = irl_file_open(env, source->path, &file);
  if (status) return status;
  irl_names_init(&plan.csv.columns, &env->allocator);
  status = irl_csv_find_text(&plan.csv, file.bytes, file.size, &whole);
  if (!status) status = irl_csv_header(&plan.csv, &whole);
  if (!status) status = irl_typed_read(&plan, &whole);
  irl_typed_free(&plan);
  irl_file_close(&file);
  return status;
}
