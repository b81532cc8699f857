/* What the rule is worth on new samples, in text and in JSON: held-out samples first, then the
 * estimate by internal validation; the figures of training follow. */
#include "report/report.h"
#include "rule/rule_json.h"
#include "validate/estimate.h"
#include <inttypes.h>
#include <math.h>

/* How the estimate was made, in words. */
static void print_method(irl_text *text, const irl_estimate *e) {
  switch (e->method) {
  case IRL_VALIDATE_QUICK:
    irl_text_printf(text,
                    e->has_given_folds ? "quick search, by the %u given folds"
                                       : "quick %u-fold cross-validation",
                    e->folds);
    if (e->parts < e->folds) irl_text_printf(text, ", %u of its folds", e->parts);
    break;
  case IRL_VALIDATE_CV:
    irl_text_printf(text,
                    e->has_given_folds ? "cross-validation by the %u given folds"
                                       : "cross-validation, %u folds in all",
                    e->parts);
    break;
  case IRL_VALIDATE_BOOTSTRAP:
    irl_text_printf(text, "bootstrap .632+, %u samples", e->parts);
    break;
  default:
    irl_text_puts(text, "a fifth of the samples held out of another fit");
  }
  if (e->groups) irl_text_printf(text, ", %u groups kept whole", e->groups);
  if (e->parts_done < e->parts)
    irl_text_printf(text, "; %u of %u were done", e->parts_done, e->parts);
}

#define FIELD(member)      IRL_FIELD(irl_estimate, member)
#define LIST(name, member) IRL_FIELD_LIST(irl_estimate, name, member, 2)
static const irl_field parts_fields[] = IRL_FIELDS(irl_estimate, parts, parts_done);
static const irl_field shares_fields[] = {
    FIELD(balanced_accuracy), LIST("interval", low),
    FIELD(sensitivity),       LIST("sensitivity_interval", sensitivity_low),
    FIELD(specificity),       LIST("specificity_interval", specificity_low),
    FIELD(accuracy),          IRL_FIELDS_END};

static void print_shares(irl_text *text, const irl_estimate *e) {
  irl_fields_print(text, shares_fields, e,
                   "balanced accuracy {balanced_accuracy:.4f} ({interval[0]:.4f} to "
                   "{interval[1]:.4f}), sensitivity {sensitivity:.4f} "
                   "({sensitivity_interval[0]:.4f} to {sensitivity_interval[1]:.4f}), "
                   "specificity {specificity:.4f} ({specificity_interval[0]:.4f} to "
                   "{specificity_interval[1]:.4f})");
}

void irl_report_print_estimate(irl_text *text, const irl_fit_result *result) {
  const irl_estimate *e = &result->estimate;
  irl_estimate held = {0};
  if (result->has_test) {
    const irl_evaluation *t = &result->test;
    irl_estimate_of_test(result, &held);
    irl_text_puts(text, "held-out samples: ");
    print_shares(text, &held);
    irl_text_printf(text,
                    "\n  of %" PRIu64 " cases %" PRIu64 " found and %" PRIu64 " missed, of %" PRIu64
                    " controls %" PRIu64 " passed and %" PRIu64 " taken for cases; accuracy %.4f\n",
                    t->tp + t->fn, t->tp, t->fn, t->tn + t->fp, t->tn, t->fp, t->accuracy);
    if (!isnan(t->accuracy_by_weight))
      irl_text_printf(text, "  by weight: accuracy %.4f, balanced accuracy %.4f\n",
                      t->accuracy_by_weight, t->balanced_accuracy_by_weight);
  }
  if (result->no_estimate) {
    irl_text_printf(text, "new samples: no estimate, since %s\n", result->no_estimate);
  } else if (e->method) {
    irl_text_puts(text, "new samples (");
    print_method(text, e);
    irl_text_puts(text, "): ");
    print_shares(text, e);
    irl_text_puts(text, "\n");
  }
  irl_text_puts(text, "samples learnt from: ");
}

void irl_report_put_held_out(irl_json *json, const irl_fit_result *result) {
  irl_estimate held = {0};
  if (!result->has_test) return;
  const irl_evaluation *t = &result->test;
  irl_estimate_of_test(result, &held);
  irl_json_open(json, "held_out", '{');
  irl_json_unsigned(json, "samples", t->tp + t->fp + t->tn + t->fn);
  irl_fields_put_object(json, "confusion", irl_confusion_fields, t);
  irl_fields_put(json, shares_fields, &held);
  irl_json_close(json, '}');
}

void irl_report_put_estimate(irl_json *json, const irl_fit_result *result) {
  const irl_estimate *e = &result->estimate;
  irl_text words;
  if (result->no_estimate) {
    irl_json_open_flat(json, "validation", '{');
    irl_json_string(json, "none_since", result->no_estimate);
    irl_json_close(json, '}');
  }
  if (!e->method || result->no_estimate) return;
  irl_text_init(&words, json->text.env);
  print_method(&words, e);
  irl_json_open(json, "validation", '{');
  irl_json_take_text(json, "method", &words);
  irl_fields_put(json, parts_fields, e);
  if (e->groups) irl_json_unsigned(json, "groups", e->groups);
  irl_fields_put(json, shares_fields, e);
  irl_json_close(json, '}');
}
