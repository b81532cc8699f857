/* BCF, read by htslib where this build has it. Its header and its records are brought as the text
 * of VCF that they stand for, of the values only those that genotypes are taken from. */
#include "read/vcf.h"

#ifdef IRL_HAS_HTS
#include "base/c_locale.h"
#include "base/limit.h"
#include <htslib/hfile.h>
#include <htslib/vcf.h>
#include <unistd.h>

typedef struct reader {
  irl_env *env;
  const char *path;
  htsFile *file;
  bcf_hdr_t *header;
  bcf1_t *record;
  kstring_t text; /* of the header, or of a record, */
  size_t at;      /* of which so many bytes were handed out */
  size_t number;  /* of the record, from 1 */
  irl_pace pace;
} reader;

static irl_status fail(const reader *r, const char *what) {
  return irl_fail(r->env, IRL_STATUS_BAD_INPUT, "%s: %s", r->path, what);
}

static irl_status open_file(reader *r, const irl_input *input) {
  if (!input->is_regular)
    return fail(r, "BCF is not read from a pipe; bcftools view writes VCF, which is");
  /* By its descriptor: a name with a colon may be an address for htslib. */
  const int descriptor = dup(input->descriptor);
  hFILE *bytes = descriptor < 0 ? NULL : hdopen(descriptor, "r");
  if (!bytes && descriptor >= 0) close(descriptor);
  if (!bytes) return irl_fail_memory(r->env);
  r->file = hts_hopen(bytes, "a BCF file", "r");
  if (!r->file) hclose_abruptly(bytes);
  if (!r->file || r->file->format.format != bcf || r->file->format.version.major != 2)
    return fail(r, "offset 0: this is no BCF file of version 2");
  if (r->file->format.compression == gzip) return fail(r, "BCF is compressed by bgzip, not gzip");
  r->header = bcf_hdr_read(r->file);
  r->record = bcf_init();
  if (!r->record) return irl_fail_memory(r->env);
  if (!r->header) return fail(r, "the header is damaged, or the file was cut off");
  return bcf_hdr_format(r->header, 0, &r->text) ? irl_fail_memory(r->env) : IRL_STATUS_OK;
}

/* The line of the record, without values that nobody asks for. */
static bool print_record(void *user) {
  reader *r = user;
  bcf1_t *record = r->record;
  if (record->errcode || bcf_unpack(record, BCF_UN_ALL)) return false;
  record->n_info = 0;
  for (unsigned i = 0; i < record->n_fmt; i++) {
    const char *name = bcf_hdr_int2id(r->header, BCF_DT_ID, record->d.fmt[i].id);
    if (strcmp(name, "GT") && strcmp(name, "DS")) record->d.fmt[i].p = NULL;
  }
  return !vcf_format(r->header, record, &r->text);
}

/* The text of the next record; none at the end of the file. */
static irl_status next_record(reader *r) {
  r->at = r->text.l = 0;
  r->number++;
  const int code = bcf_read(r->file, r->header, r->record);
  if (code == -1) return IRL_STATUS_OK;
  if (code || !irl_c_call(print_record, r))
    return irl_fail(r->env, IRL_STATUS_BAD_INPUT,
                    "%s: record %zu: it is damaged, or the file was cut off", r->path, r->number);
  return irl_pace_is_cut(&r->pace, r->text.l) ? irl_reading_fail(r->env, r->path) : IRL_STATUS_OK;
}

static irl_status read_text(void *user, char *bytes, size_t n, size_t *got) {
  reader *r = user;
  for (*got = 0; *got < n;) {
    if (r->at == r->text.l) {
      const irl_status status = next_record(r);
      if (status || !r->text.l) return status;
    }
    const size_t left = r->text.l - r->at, now = left < n - *got ? left : n - *got;
    memcpy(bytes + *got, r->text.s + r->at, now);
    r->at += now;
    *got += now;
  }
  return IRL_STATUS_OK;
}

irl_status irl_bcf_read(irl_env *env, const irl_source *source, irl_table *table) {
  irl_input input = {.env = NULL};
  reader r = {.env = env, .path = source->path, .pace = {.env = env}};
  const irl_vcf_text text = {read_text, &r, IRL_VCF_ROOM, true};
  const enum htsLogLevel level = hts_get_log_level();
  hts_set_log_level(HTS_LOG_OFF); /* what is wrong is said in our words */
  irl_status status = irl_input_open(env, source->path, &input);
  if (!status) status = irl_bgzf_check(&input);
  if (!status) status = open_file(&r, &input);
  if (!status) status = irl_vcf_read_text(env, source, &text, table);
  if (!status) status = irl_file_check_same(env, source->path, input.descriptor, &input.about);
  if (r.record) bcf_destroy(r.record);
  if (r.header) bcf_hdr_destroy(r.header);
  if (r.file) hts_close(r.file);
  ks_free(&r.text);
  irl_input_close(&input);
  hts_set_log_level(level);
  return status;
}

#else

irl_status irl_bcf_read(irl_env *env, const irl_source *source, irl_table *table) {
  (void)table;
  return irl_fail(env, IRL_STATUS_BAD_INPUT,
                  "%s: this build reads no BCF: convert it with bcftools view", source->path);
}

#endif
