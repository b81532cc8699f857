/* Which reader a model's file asks for. */
#include "base/c_locale.h"
#include "base/file.h"
#include "model/lp_names.h"
#include "model/lp_scan.h"

/* By the extension; of other files, and of pipes, by the first word. */
static bool is_lp_format(irl_env *env, const char *path, const irl_file *file) {
  char extension[16];
  irl_lp_scanner s;
  irl_file_extension(path, extension);
  if (!strcmp(extension, "lp")) return true;
  if (!strcmp(extension, "mps")) return false;
  irl_lp_scan_init(&s, env, path, file);
  return !irl_lp_scan(&s) && s.kind == IRL_LP_SECTION &&
         (s.section == IRL_LP_MINIMISE || s.section == IRL_LP_MAXIMISE);
}

irl_status irl_lp_read(irl_env *env, const char *path, irl_lp_names *model) {
  irl_file file;
  irl_lp_names made;
  irl_status status = irl_file_open(env, path, &file);
  if (status) return status;
  status = is_lp_format(env, path, &file) ? irl_lp_parse_lp(env, path, &file, &made)
                                          : irl_lp_parse_mps(env, path, &file, &made);
  irl_file_close(&file);
  if (!status) *model = made;
  return status;
}
