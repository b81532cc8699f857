# More than two classes: a rule for each of them against the others.

fit_classes <- function(problem, settings, call) {
  levels <- problem$labels$levels
  rules <- lapply(levels, function(level) {
    problem$labels <- labels_for(problem$labels, level)
    fit_two(problem, settings, call)
  })
  sum_of <- function(name) sum(vapply(rules, function(rule) rule[[name]], 0))
  known <- c("optimal", "feasible", "limit", "interrupted")
  worst <- max(match(vapply(rules, function(rule) rule$status, ""), known))
  structure(class = "ireland_classes", list(
    rules = setNames(rules, levels), levels = levels, label_kind = problem$labels$kind, target = problem$target, status = known[worst],
    objective = sum_of("objective"), bound = sum_of("bound"), call = call))
}

# Of each class the share of its samples among those for which the same clause speaks; of all classes together 1.
predict.ireland_classes <- function(object, newdata, type = c("class", "prob", "rule"), ...) {
  type <- match.arg(type)
  if (missing(newdata)) fail("newdata is missing: the samples to predict")
  if (type == "rule") {
    parts <- lapply(object$levels, function(level) {
      holds <- predict(object$rules[[level]], newdata, type = "rule")
      if (ncol(holds)) colnames(holds) <- paste0(level, ": ", colnames(holds))
      holds
    })
    return(do.call(cbind, parts))
  }
  shares <- lapply(object$rules, function(rule) predict(rule, newdata, type = "prob")[, 2L])
  shares <- matrix(unlist(shares), ncol = length(object$levels), dimnames = list(NULL, object$levels))
  shares <- shares / rowSums(shares)
  if (type == "prob") shares else as_labels(object, object$levels[max.col(shares, ties.method = "first")])
}

format.ireland_classes <- function(x, ...) vapply(x$rules, format, "")

print.ireland_classes <- function(x, ...) {
  for (rule in x$rules) print(rule, ...)
  invisible(x)
}

summary.ireland_classes <- function(object, ...) structure(class = "summary.ireland_classes", lapply(object$rules, summary))

print.summary.ireland_classes <- function(x, ...) {
  for (k in seq_along(x)) {
    if (k > 1L) cat("\n")
    print(x[[k]], ...)
  }
  invisible(x)
}

as.data.frame.ireland_classes <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- lapply(x$levels, function(level) {
    frame <- as.data.frame(x$rules[[level]])
    cbind(class = rep(level, nrow(frame)), frame, stringsAsFactors = FALSE)
  })
  do.call(rbind, parts)
}

# A picture for each class that has clauses.
plot.ireland_classes <- function(x, y = NULL, ...) {
  for (level in x$levels) if (length(x$rules[[level]]$clauses)) plot(x$rules[[level]], main = paste(x$target, "=", level), ...)
  invisible(x)
}
