# Printing, summaries, plots and frames.

format.ireland <- function(x, ...) x$rule

print.ireland <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Rule for ", x$target, " = ", x$positive, ":\n", sep = "")
  joints <- if (x$is_cnf) c(" OR ", "AND ") else c(" AND ", "OR  ")
  for (k in seq_along(x$clauses)) {
    cat(if (k > 1L) paste0("  ", joints[2L]) else "      ", "(", paste(x$clauses[[k]], collapse = joints[1L]), ")\n", sep = "")
  }
  if (!length(x$clauses)) cat("      ", x$rule, "\n", sep = "")
  cat(x$status, ": objective ", format(x$objective, digits = digits), ", bound ", format(x$bound, digits = digits), "\n", sep = "")
  invisible(x)
}

as.data.frame.ireland <- function(x, row.names = NULL, optional = FALSE, ...) {
  statistics <- if (x$is_cnf) NULL else x$answer$clause_statistics
  n <- lengths(x$clauses)
  literals <- unlist(x$clauses, use.names = FALSE)
  content <- checked(.Call(ireland_r_rule, x$json, character()))$content
  column <- vapply(content$literals, function(literal) literal$column, "")
  names(column) <- vapply(content$literals, function(literal) literal$name, "")
  bare <- sub("^!", "", as.character(literals))
  of_clause <- function(what) rep(vapply(statistics, function(row) as.numeric(row[[what]]), 0), n)
  frame <- data.frame(clause = rep(seq_along(n), n), literal = as.character(literals),
                      column = ifelse(bare %in% names(column), column[bare], bare), negated = startsWith(as.character(literals), "!"),
                      row.names = row.names, stringsAsFactors = FALSE)
  if (length(statistics)) frame[c("tp", "fp", "precision")] <- list(of_clause("tp"), of_clause("fp"), of_clause("precision"))
  frame
}

summary.ireland <- function(object, ...) {
  rows <- if (object$is_cnf) list() else object$answer$clause_statistics
  number <- function(name) vapply(rows, function(row) if (is.null(row[[name]])) NA_real_ else as.numeric(row[[name]])[1L], 0)
  clauses <- data.frame(clause = vapply(object$clauses[seq_along(rows)], function(clause) paste(clause, collapse = " AND "), ""),
                        tp = number("tp"), fp = number("fp"), adds = number("adds"), precision = number("precision"),
                        odds_ratio = number("odds_ratio"), fisher_p = number("fisher_p"))
  answer <- object$answer
  structure(class = "summary.ireland", list(object = object, clauses = clauses, confusion = unlist(answer$confusion),
    measures = unlist(answer[c("sensitivity", "specificity", "accuracy", "balanced_accuracy")])))
}

print.summary.ireland <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  print(x$object, digits = digits)
  scope <- x$object$scope
  cat("Among rules of at most ", scope$K, " clauses of at most ", scope$M, " of ", scope$literals, " literals, ", x$object$n,
      " samples, ", scope$weights, " weights\n\n", sep = "")
  print(x$measures, digits = digits)
  cat("\n")
  if (nrow(x$clauses)) print(x$clauses, digits = digits, row.names = FALSE)
  invisible(x)
}

plot.ireland <- function(x, y = NULL, ...) {
  rows <- if (x$is_cnf) list() else x$answer$clause_statistics
  if (!length(rows)) fail("there are no clauses with counts to draw")
  counts <- vapply(rows, function(row) c(cases = as.numeric(row$tp), controls = as.numeric(row$fp)), c(0, 0))
  names <- vapply(x$clauses, function(clause) paste(clause, collapse = "\nAND "), "")
  old <- par(mar = c(4, 2 + max(nchar(unlist(strsplit(names, "\n")))) / 2, 2, 1), las = 1)
  on.exit(par(old))
  settings <- list(height = counts[, rev(seq_along(names)), drop = FALSE], names.arg = rev(names), horiz = TRUE, beside = TRUE,
                   xlab = "samples covered", col = c("steelblue", "grey80"), legend.text = c("cases", "controls"))
  more <- list(...)
  settings[names(more)] <- more
  invisible(do.call(barplot, settings))
}
