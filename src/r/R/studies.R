# Beyond one rule: curves, cross-validation, all optimal rules, certificates, pages, rules as files and code.

# Of a formula and data, or of x and y.
study_problem <- function(x, data, weights, positive, parent, needs_table = TRUE) {
  problem <- if (inherits(x, "formula")) problem_of_formula(x, data, weights, positive, parent)
             else problem_of(x, data, eval(weights, parent), positive)
  if (needs_table) with_columns(problem) else problem
}

ireland_curve <- function(x, data, ..., positive = NULL, sizes = FALSE, threshold = 0.01) {
  problem <- study_problem(x, data, NULL, positive, parent.frame(), needs_table = FALSE)
  more <- settings_of(list(sizes = sizes, threshold = if (threshold != 0.01) threshold))
  found <- checked(.Call(ireland_r_curve, for_library(problem), c(fit_settings(...), more)))
  structure(class = "ireland_curve", found$answer)
}

points_frame <- function(points) {
  number <- function(name) vapply(points, function(point) if (is.null(point[[name]])) NA_real_ else as.numeric(point[[name]]), 0)
  measures <- c("sensitivity", "specificity", "accuracy", "sensitivity_bound", "specificity_bound", "accuracy_bound", "literals", "tp", "fp")
  frame <- as.data.frame(setNames(lapply(measures, number), measures))
  frame$status <- vapply(points, function(point) point$status, "")
  frame$rule <- vapply(points, function(point) clauses_text(plain_clauses(point$clauses)), "")
  frame
}

as.data.frame.ireland_curve <- function(x, row.names = NULL, optional = FALSE, ..., kind = c("tradeoff", "literals", "clauses")) {
  points_frame(x[[match.arg(kind)]])
}

print.ireland_curve <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Trade-off of sensitivity and specificity: area ", format(x$area, digits = digits), ", ", x$status, "\n", sep = "")
  print(as.data.frame(x)[c("sensitivity", "specificity", "sensitivity_bound", "literals", "rule")], digits = digits, row.names = FALSE)
  invisible(x)
}

plot.ireland_curve <- function(x, y = NULL, ...) {
  points <- as.data.frame(x)
  plot(1 - points$specificity, points$sensitivity_bound, type = "s", col = "grey70", xlim = c(0, 1), ylim = c(0, 1),
       xlab = "1 - specificity", ylab = "sensitivity", ...)
  lines(1 - points$specificity, points$sensitivity, type = "o", pch = 19)
  legend("bottomright", c("rules that were found", "no rule is above"), lty = 1, pch = c(19, NA), col = c("black", "grey70"), bty = "n")
  invisible(x)
}

# What a cross-validation is to try, as the library reads it; NA: what it tries by itself.
grid_text <- function(values) {
  if (is.null(values)) return(NA_character_)
  paste(if (is.logical(values)) as.integer(values) else values, collapse = ",")
}

ireland_cv <- function(x, data, weights = NULL, ..., K = NULL, M = NULL, penalty = NULL, folds = 10, repeats = 1, nested = FALSE,
                       choose = NULL, negations = NULL, positive = NULL) {
  problem <- study_problem(x, data, substitute(weights), positive, parent.frame())
  settings <- fit_settings(...)
  settings <- settings[setdiff(names(settings), c("K", "M", "penalty"))]
  more <- settings_of(list(folds = folds, repeats = repeats, nested = nested, choose = choose))
  ranges <- vapply(list(K, M, penalty, negations), grid_text, "")
  found <- checked(.Call(ireland_r_cv, for_library(problem), c(settings, more), ranges))
  structure(class = "ireland_cv", found$answer)
}

as.data.frame.ireland_cv <- function(x, row.names = NULL, optional = FALSE, ...) {
  do.call(rbind, lapply(x$table, function(row) as.data.frame(row)))
}

print.ireland_cv <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Chosen by ", gsub("_", " ", x$chosen_by), ": K = ", x$K, ", M = ", x$M, ", penalty = ", x$penalty, if (x$negations) ", with negations", "\n", sep = "")
  rows <- as.data.frame(x)
  best <- rows[order(-rows[[x$chosen_by]], seq_len(nrow(rows))), ]
  best <- best[!duplicated(best[setdiff(names(best), c("K", "M", "penalty", "negations"))]), ]
  shown <- c("K", "M", "penalty", "negations", x$chosen_by, paste0(x$chosen_by, "_se"), "clauses", "literals")
  print(best[seq_len(min(12L, nrow(best))), shown], digits = digits, row.names = FALSE)
  if (nrow(rows) > 12L) cat("The best of ", nrow(rows), " settings; as.data.frame has all of them.\n", sep = "")
  invisible(x)
}

ireland_optimal <- function(x, data, weights = NULL, ..., n = 100, within = 0, positive = NULL) {
  problem <- study_problem(x, data, substitute(weights), positive, parent.frame())
  more <- settings_of(list(all_optimal = n, within = if (within != 0) within))
  found <- checked(.Call(ireland_r_optimal, for_library(problem), c(fit_settings(..., prove = TRUE), more)))
  structure(lapply(found$rules, rule_of), is_complete = found$is_complete)
}

ireland_report <- function(x, data, file = NULL, ..., curve = FALSE, weights = NULL, positive = NULL) {
  problem <- study_problem(x, data, substitute(weights), positive, parent.frame())
  page <- checked(.Call(ireland_r_report, for_library(problem), fit_settings(...), curve))
  if (is.null(file)) return(page)
  writeLines(enc2utf8(page), file, useBytes = TRUE)
  invisible(page)
}

ireland_verify <- function(object, x, y, weights = NULL, certificate = object$certificate, time_limit = 0, work_limit = 0) {
  one_rule(object)
  if (is.null(certificate)) fail("there is no certificate: fit with prove = TRUE and certificate = TRUE until the status is optimal")
  problem <- if (is.null(object$terms)) problem_of(x, y, weights, NULL, many = TRUE)
             else problem_of_formula(object$terms, x, substitute(weights), NULL, parent.frame(), many = TRUE)
  problem$labels <- labels_for(problem$labels, object$positive)
  settings <- settings_of(list(time_limit = if (time_limit != 0) time_limit, work_limit = if (work_limit != 0) work_limit))
  found <- checked(.Call(ireland_r_verify, object$json, certificate, for_library(with_columns(problem)), settings))
  structure(found$valid, line = if (!isTRUE(found$valid)) found$line, reason = if (!isTRUE(found$valid)) found$reason)
}

ireland_export <- function(object, to = c("text", "r", "sql", "c", "python", "javascript")) {
  to <- match.arg(to)
  one_rule(object)
  checked(.Call(ireland_r_rule, object$json, to))
}

ireland_write <- function(object, file) {
  one_rule(object)
  writeLines(enc2utf8(object$json), file, sep = "", useBytes = TRUE)
  invisible(object)
}

rule_of <- function(json) {
  found <- checked(.Call(ireland_r_rule, json, character()))
  object <- list(json = json, rule = sub("\n$", "", found$text), clauses = plain_clauses(found$content$clauses))
  object$used <- columns_used(object)
  structure(class = "ireland_rule", object)
}

ireland_read <- function(file) {
  if (!file.exists(file)) fail("there is no file '", file, "'")
  lines <- readLines(file, warn = FALSE, encoding = "UTF-8")
  rule_of(paste0(lines, "\n", collapse = ""))
}

# Options that name files, whose contents the library takes.
contents_of <- function(files) {
  read <- function(name) {
    if (!file.exists(files[[name]])) fail("option ", name, ": there is no file '", files[[name]], "'")
    readChar(files[[name]], file.size(files[[name]]), useBytes = TRUE)
  }
  vapply(names(files), read, "")
}

ireland_file <- function(file, ..., certificate = FALSE, options = list()) {
  if (!is.character(file) || length(file) != 1L || is.na(file)) fail("file is the path of one file")
  named <- names(options) %in% c("types", "pheno", "covar", "keep", "remove", "extract", "exclude", "genes")
  settings <- fit_settings(..., certificate = certificate, options = options[!named])
  found <- checked(.Call(ireland_r_fit_file, enc2utf8(path.expand(file)), settings, contents_of(options[named]), certificate))
  answer <- found$answer
  if (is.null(found$json) || is.null(answer$objective)) fail("no rule was found: ", answer$status)
  object <- rule_of(found$json)
  object[c("status", "objective", "bound", "gap", "scope")] <- answer[c("status", "objective", "bound", "gap", "scope")]
  object$answer <- answer
  object$certificate <- found$certificate
  object
}

print.ireland_rule <- function(x, ...) {
  cat(x$rule, "\n", sep = "")
  invisible(x)
}

predict.ireland_rule <- function(object, newdata, ..., options = list()) {
  if (is.character(newdata) && is.null(dim(newdata))) {
    return(rowSums(checked(.Call(ireland_r_fires, object$json, enc2utf8(path.expand(newdata)), settings_of(options)))) > 0)
  }
  n <- check_samples(newdata)
  if (!length(object$used) || !n) return(rep(FALSE, n))
  object$settings <- c(threads = "2")
  rowSums(held(object, columns_of(used_frame(object, newdata)))) > 0
}
