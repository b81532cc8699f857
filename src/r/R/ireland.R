# Fitting and predicting.

ireland <- function(x, ...) UseMethod("ireland")

ireland.formula <- function(x, data = environment(x), weights = NULL, ..., positive = NULL) {
  call <- match.call()
  problem <- problem_of_formula(x, if (missing(data)) environment(x) else data, substitute(weights), positive, parent.frame(),
                                many = TRUE)
  fit_problem(problem, call, ...)
}

ireland.default <- function(x, y, weights = NULL, ..., positive = NULL) {
  call <- match.call()
  if (missing(y)) fail("there are no labels: ireland(x, y), or a formula and data")
  fit_problem(problem_of(x, y, weights, positive, many = TRUE), call, ...)
}

# The settings of a fit as the library takes them.
fit_settings <- function(K = 3, M = 3, negations = FALSE, prove = FALSE, certificate = FALSE, cuts = NULL, missing = NULL, penalty = 0,
                         loss_weights = NULL, method = NULL, min_sensitivity = 0, min_specificity = 0, max_literals = 0, time_limit = 0,
                         work_limit = 0, threads = 2, seed = 1, verbose = FALSE, tune = FALSE, options = list()) {
  if (isTRUE(missing %in% c("drop", "error"))) fail("missing is \"false\" or \"impute\" here: drop samples before")
  if (isTRUE(tune)) { # what is given restricts the choice
    ranges <- list(tune_K = if (!missing(K)) grid_text(K), tune_M = if (!missing(M)) grid_text(M),
                   tune_penalty = if (!missing(penalty)) grid_text(penalty), tune_negations = if (!missing(negations)) grid_text(negations))
    K <- M <- NULL
    penalty <- 0
    negations <- FALSE
  }
  own <- list(K = K, M = M, negations = negations, prove = prove, certificate = certificate, cuts = cuts, missing = missing,
              penalty = if (penalty != 0) penalty, weights = loss_weights, method = method,
              min_sensitivity = if (min_sensitivity != 0) min_sensitivity, min_specificity = if (min_specificity != 0) min_specificity,
              max_literals = if (max_literals != 0) max_literals, time_limit = if (time_limit != 0) time_limit,
              work_limit = if (work_limit != 0) work_limit, threads = threads, seed = seed, verbose = verbose)
  if (!is.list(options) || (length(options) && (is.null(names(options)) || !all(nzchar(names(options)))))) {
    fail("options is a list of values by their names, such as list(cnf = TRUE)")
  }
  own[names(options)] <- options
  settings_of(if (isTRUE(tune)) c(own, tune = TRUE, ranges) else own)
}

# What bits cannot have.
of_tables <- c("certificate", "test", "permutations", "tune")

fit_problem <- function(problem, call, ...) {
  settings <- fit_settings(...)
  if (any(of_tables %in% names(settings))) problem <- with_columns(problem)
  if (is.null(problem$labels$cases)) fit_classes(problem, settings, call) else fit_two(problem, settings, call)
}

fit_two <- function(problem, settings, call) {
  found <- checked(.Call(ireland_r_fit, for_library(problem), settings, "certificate" %in% names(settings)))
  answer <- found$answer
  if (is.null(found$json) || is.null(answer$objective)) {
    fail("no rule was found: ", answer$status, if (!is.null(found$reason)) paste0("; ", found$reason))
  }
  is_cnf <- identical(answer$form, "cnf")
  clauses <- plain_clauses(answer$clauses)
  labels <- problem$labels
  object <- structure(class = "ireland", list(
    rule = if (is_cnf) clauses_text(clauses, " OR ", " AND ") else sub("\n$", "", found$text), clauses = clauses, json = found$json,
    status = answer$status, objective = answer$objective, bound = answer$bound, gap = answer$gap, scope = answer$scope,
    answer = answer, tuning = if (!is.null(answer$tuning)) structure(class = "ireland_cv", answer$tuning), certificate = found$certificate, is_cnf = is_cnf, levels = labels$levels, positive = labels$positive,
    negative = labels$negative, label_kind = labels$kind, columns = problem$names, types = problem$types, target = problem$target,
    values = lapply(problem$columns[problem$types == type_category], levels), terms = problem$terms, settings = settings,
    n = length(labels$cases), call = call))
  object$used <- columns_used(object)
  object[c("order", "shares", "rest")] <- shares_of(object, problem)
  object
}

plain_clauses <- function(clauses) lapply(clauses, function(clause) as.character(clause))

clauses_text <- function(clauses, inner = " AND ", outer = " OR ") {
  if (!length(clauses)) return(if (outer == " OR ") "FALSE" else "TRUE")
  paste(vapply(clauses, function(clause) paste0("(", paste(clause, collapse = inner), ")"), ""), collapse = outer)
}

# The columns that the rule looks at.
columns_used <- function(object) {
  content <- checked(.Call(ireland_r_rule, object$json, character()))$content
  names <- unique(sub("^!", "", unlist(plain_clauses(content$clauses), use.names = FALSE)))
  of_literal <- vapply(content$literals, function(literal) literal$column, "")
  names(of_literal) <- vapply(content$literals, function(literal) literal$name, "")
  used <- ifelse(names %in% names(of_literal), of_literal[names], names)
  unique(as.character(used))
}

# Which clauses of the rule's JSON hold.
held <- function(object, columns) {
  checked(.Call(ireland_r_fires, object$json, samples_for(columns), object$settings["threads"]))
}

# Columns of samples to predict, as the C code takes them.
samples_for <- function(columns, cases = NULL, words = character()) {
  types <- vapply(columns, function(values) if (is.factor(values)) type_category else type_number, 0L)
  list(unname(columns), names(columns), unname(types), cases, NULL, words)
}

# Shares of cases among samples whose best clause is the same, with one half added to each class.
shares_of <- function(object, problem) {
  cases <- problem$labels$cases == as.raw(1L)
  fired <- if (length(object$used)) held(object, some_columns(problem, object$used)) else matrix(FALSE, length(cases), 0L)
  weights <- if (is.null(problem$weights)) rep(1, length(cases)) else problem$weights
  share <- function(which) (sum(weights[which & cases]) + 0.5) / (sum(weights[which]) + 1)
  alone <- apply(fired, 2L, share)
  order <- order(if (object$is_cnf) alone else -alone)
  first <- first_clause(fired, order)
  list(order, vapply(seq_len(ncol(fired)), function(k) share(first == k), 0), share(first == 0L))
}

# The clause that holds and comes first in the order of the shares; 0: none.
first_clause <- function(fired, order) {
  first <- integer(nrow(fired))
  for (k in rev(order)) first[fired[, k]] <- k
  first
}

# The columns of new samples that the rule looks at, by name.
new_columns <- function(object, newdata) {
  n <- check_samples(newdata)
  parts <- sparse_parts(newdata)
  if (!is.null(object$terms) && is.data.frame(newdata)) {
    computed <- lapply(object$used, function(name) { # a column, or a term such as log(x)
      if (name %in% names(newdata)) return(newdata[[name]])
      tryCatch(eval(str2lang(name), newdata, environment(object$terms)),
               error = function(e) fail("newdata has no column '", name, "', which the rule needs"))
    })
    newdata <- structure(setNames(computed, object$used), class = "data.frame", row.names = seq_len(n))
  }
  if (is.null(names_of(newdata))) {
    m <- if (is.null(parts)) ncol(newdata) else length(parts$names)
    if (m != length(object$columns)) fail("newdata has ", m, " columns, the rule was learnt from ", length(object$columns))
    if (is.null(parts)) colnames(newdata) <- object$columns else attr(newdata, "Dimnames") <- list(NULL, object$columns)
  }
  newdata <- used_frame(object, newdata)
  setNames(lapply(object$used, function(name) new_column(object, name, newdata[[name]], n)), object$used)
}

# Names of columns, of a sparse matrix too; NULL: it has none.
names_of <- function(x) if (isS4(x)) attr(x, "Dimnames")[[2L]] else colnames(x)

# The columns that the rule looks at, as a frame.
used_frame <- function(object, newdata) {
  absent <- setdiff(object$used, names_of(newdata))
  if (length(absent)) fail("newdata has no column '", absent[1L], "', which the rule needs")
  if (isS4(newdata)) return(sparse_frame(sparse_parts(newdata), object$used))
  if (is.matrix(newdata)) as.data.frame(newdata[, object$used, drop = FALSE], stringsAsFactors = FALSE) else newdata[object$used]
}

# How many samples there are.
check_samples <- function(newdata) {
  if (is.data.frame(newdata) || is.matrix(newdata)) return(nrow(newdata))
  parts <- sparse_parts(newdata)
  if (is.null(parts)) fail("newdata is a data frame or a matrix, not of class ", class(newdata)[1L])
  parts$n
}

new_column <- function(object, name, values, n) {
  type <- object$types[match(name, object$columns)]
  if (type == type_category && (is.numeric(values) || is.logical(values))) values <- as.character(values)
  values <- take_column(name, values, n)
  if (type != type_category && is.factor(values)) fail("column '", name, "' held numbers when the rule was learnt; now it holds texts")
  unseen <- if (type == type_category) setdiff(levels(values), object$values[[name]])
  if (length(unseen)) {
    warning("column '", name, "' has values that it had not when the rule was learnt: ", paste(utils_head(unseen), collapse = ", "),
            call. = FALSE)
  }
  values
}

utils_head <- function(x, n = 5L) if (length(x) > n) c(x[seq_len(n)], "...") else x

# Labels as they were given: a factor, or of their own type.
as_labels <- function(object, text) {
  if (!all(text %in% object$levels)) return(text) # of one class of several: "not a"
  switch(object$label_kind, factor = factor(text, levels = object$levels), logical = text == "TRUE", numeric = as.numeric(text), text)
}

predict.ireland <- function(object, newdata, type = c("class", "prob", "rule"), ...) {
  type <- match.arg(type)
  if (missing(newdata)) fail("newdata is missing: the samples to predict")
  n <- check_samples(newdata)
  fired <- if (length(object$used) && n) held(object, new_columns(object, newdata)) else matrix(FALSE, n, length(object$shares))
  if (type == "rule") {
    holds <- fired != object$is_cnf
    colnames(holds) <- vapply(object$clauses, function(clause) {
      paste(clause, collapse = if (object$is_cnf) " OR " else " AND ")
    }, "")
    return(holds)
  }
  if (type == "class") {
    is_case <- (rowSums(fired) > 0) != object$is_cnf
    return(as_labels(object, ifelse(is_case, object$positive, object$negative)))
  }
  case <- c(object$rest, object$shares)[first_clause(fired, object$order) + 1L]
  if (length(object$levels) > 2L) return(matrix(c(1 - case, case), n, dimnames = list(NULL, c(object$negative, object$positive))))
  both <- if (object$positive == object$levels[2L]) cbind(1 - case, case) else cbind(case, 1 - case)
  dimnames(both) <- list(NULL, object$levels)
  both
}

ireland_explain <- function(object, newdata) {
  one_rule(object)
  rows <- checked(.Call(ireland_r_tell, object$json, samples_for(new_columns(object, newdata)), FALSE))
  join <- function(literals) paste(as.character(literals), collapse = " AND ")
  data.frame(predicted = vapply(rows, function(row) row$predicted, ""),
             fired = vapply(rows, function(row) paste(vapply(row$fired, join, ""), collapse = "; "), ""),
             closest = vapply(rows, function(row) if (is.null(row$closest)) NA_character_ else join(row$closest), ""),
             misses = vapply(rows, function(row) if (is.null(row$misses)) NA_character_ else join(row$misses), ""))
}

ireland_evaluate <- function(object, newdata, y) {
  one_rule(object)
  columns <- new_columns(object, newdata)
  if (length(y) != check_samples(newdata) || anyNA(y) || !all(as.character(y) %in% object$levels)) {
    fail("y has a label for each sample: '", paste(object$levels, collapse = "' or '"), "'")
  }
  cases <- as.raw((as.character(y) == object$positive) != object$is_cnf)
  words <- c(object$target, if (object$is_cnf) rev(c(object$positive, object$negative)) else c(object$positive, object$negative))
  answer <- checked(.Call(ireland_r_tell, object$json, samples_for(columns, cases, words), TRUE))
  measures <- c("sensitivity", "specificity", "accuracy", "balanced_accuracy", "weighted_error")
  c(unlist(answer$confusion), unlist(answer[measures]))
}

# Of several rules, one for each class, the user says which.
one_rule <- function(object) {
  if (inherits(object, "ireland_classes")) fail("there is a rule for each class; pass one of them, such as object$rules[[\"", object$levels[1L], "\"]]")
  if (!inherits(object, c("ireland", "ireland_rule"))) fail("object is a rule of ireland(), not of class ", class(object)[1L])
}
