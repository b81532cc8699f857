# From formulas, frames and matrices to what the library takes: a list of columns, their names and types, labels, weights and words.

# Column types of the library (irl_column_type).
type_binary <- 0L
type_number <- 1L
type_category <- 2L
type_ignored <- 4L

# As in files: more different texts than these are taken for identifiers.
most_values <- 1000L
few_values <- 20L

# An error that says who raised it; tryCatch(..., ireland_error = ) catches it.
fail <- function(...) {
  message <- paste0(...)
  stop(structure(class = c("ireland_error", "error", "condition"), list(message = message, call = NULL)))
}

# The answer of the library, or its sentence as an error.
checked <- function(answer) {
  if (is.list(answer) && length(answer) == 1L && identical(names(answer), "error")) fail(answer$error)
  if (is.list(answer)) {
    for (line in answer$notes) warning(line, call. = FALSE)
    if (isTRUE(answer$is_interrupted)) warning("interrupted: this is the best that was found", call. = FALSE)
  }
  answer
}

# A column as numbers, or as a factor whose levels are the texts that occur.
take_column <- function(name, values, n) {
  if (inherits(values, c("Date", "POSIXt", "difftime"))) fail("column '", name, "' holds dates or times; make numbers of them first")
  if (is.complex(values)) fail("column '", name, "' holds complex numbers, which no literal can be about")
  if (is.list(values) || !is.null(dim(values))) fail("column '", name, "' is a list or a matrix, not a vector")
  if (length(values) != n) fail("column '", name, "' has ", length(values), " values, not one for each of ", n, " samples")
  if (is.character(values) || is.factor(values)) {
    values <- factor(as.character(values), levels = sort(unique(as.character(values)), method = "radix"))
    return(values)
  }
  if (!is.numeric(values) && !is.logical(values)) fail("column '", name, "' is of class ", class(values)[1L], ", of which nothing can be made")
  if (is.double(values)) attributes(values) <- NULL # such as names, which would be copied about
  if (is.double(values) && any(is.infinite(values))) fail("column '", name, "' contains infinity")
  values
}

type_of_column <- function(values) {
  if (is.factor(values)) type_category
  else if (is.logical(values) || all(is.na(values) | values == 0 | values == 1)) type_binary
  else type_number
}

columns_of <- function(x) {
  if (inherits(x, c("dgCMatrix", "lgCMatrix", "ngCMatrix"))) fail("sparse matrices are not understood: pass as.matrix(x)")
  if (is.matrix(x)) {
    if (!is.numeric(x) && !is.logical(x) && !is.character(x)) fail("a matrix of ", typeof(x), " cannot be learnt from")
    if (is.null(colnames(x))) colnames(x) <- sprintf("x%d", seq_len(ncol(x)))
    x <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (!is.data.frame(x)) fail("x is a data frame or a matrix, not of class ", class(x)[1L])
  if (!ncol(x)) fail("there are no columns to learn from")
  if (anyDuplicated(names(x))) fail("two columns are called '", names(x)[duplicated(names(x))][1L], "'")
  n <- nrow(x)
  setNames(lapply(seq_along(x), function(j) take_column(names(x)[j], x[[j]], n)), names(x))
}

# Labels of two classes: 1 for the cases. As in glm the second level is that of the cases, unless `positive` names one.
take_labels <- function(y, n, positive) {
  if (is.null(y)) fail("there are no labels: y is NULL")
  if (!is.null(dim(y)) && ncol(as.matrix(y)) == 1L) y <- as.vector(as.matrix(y))
  if (length(y) != n) fail("there are ", length(y), " labels for ", n, " samples")
  if (anyNA(y)) fail("labels are missing (NA): leave these samples out")
  levels <- if (is.factor(y)) levels(droplevels(y)) else as.character(sort(unique(y)))
  if (length(levels) < 2L) fail("y has one class: nothing can be told apart")
  if (length(levels) > 2L) {
    fail("y has ", length(levels), " classes; a rule is about one of them: learn from y == \"", levels[1L], "\"")
  }
  positive <- if (is.null(positive)) levels[2L] else as.character(positive)
  if (!positive %in% levels) fail("positive is '", positive, "', but the classes are '", levels[1L], "' and '", levels[2L], "'")
  list(cases = as.raw(as.character(y) == positive), levels = levels, positive = positive, negative = setdiff(levels, positive),
       is_factor = is.factor(y), is_logical = is.logical(y), is_numeric = is.numeric(y))
}

# A formula, or x and y, as a problem. `frame` of a formula is evaluated as in lm.
problem_of <- function(x, y, weights, positive, target = "y", terms = NULL) {
  columns <- columns_of(x)
  n <- length(columns[[1L]])
  if (n < 2L) fail("there are ", n, " samples; at least two are needed")
  labels <- take_labels(y, n, positive)
  if (!is.null(weights)) {
    if (length(weights) != n) fail("there are ", length(weights), " weights for ", n, " samples")
    if (anyNA(weights)) fail("weights are missing (NA)")
    weights <- as.double(weights)
  }
  types <- vapply(columns, type_of_column, 0L)
  for (k in which(types == type_category)) {
    different <- nlevels(columns[[k]])
    if (different > most_values || (different > few_values && 2L * different > n)) {
      warning("column '", names(columns)[k], "' has ", different, " different texts, is taken for an identifier and left out",
              call. = FALSE)
      types[k] <- type_ignored
    }
  }
  list(columns = columns, types = types, labels = labels, weights = weights, target = target, terms = terms)
}

frame_of_formula <- function(formula, data, weights, parent) {
  call <- as.call(list(quote(stats::model.frame), formula = formula, data = data, na.action = quote(stats::na.pass),
                       drop.unused.levels = TRUE))
  if (!is.null(weights)) call$weights <- weights
  frame <- eval(call, parent)
  made <- attr(frame, "terms")
  if (any(attr(made, "order") > 1L)) fail("interactions such as a:b are not for rules, whose clauses find them: write a + b")
  if (attr(made, "response") == 0L) fail("the formula has no label on its left: write label ~ .")
  if (!is.null(attr(made, "offset"))) fail("a rule has no offset")
  frame
}

problem_of_formula <- function(formula, data, weights, positive, parent) {
  frame <- frame_of_formula(formula, data, weights, parent)
  made <- attr(frame, "terms")
  target <- names(frame)[attr(made, "response")]
  problem_of(frame[setdiff(names(frame), c(target, "(weights)"))], model.response(frame), model.weights(frame), positive, target, made)
}

# The list that the C code takes.
for_library <- function(problem) {
  words <- c(problem$target, problem$labels$positive, problem$labels$negative)
  list(unname(problem$columns), names(problem$columns), as.integer(problem$types), problem$labels$cases, problem$weights, words)
}

# Settings as texts by name; those that are NULL or FALSE are not given.
settings_of <- function(settings) {
  settings <- Filter(function(value) !is.null(value) && !identical(value, FALSE), settings)
  text <- function(value) {
    if (length(value) != 1L || is.na(value)) fail("a setting has one value that is not NA")
    if (isTRUE(value)) "" else if (is.numeric(value)) format(value, digits = 17L, scientific = FALSE, trim = TRUE) else as.character(value)
  }
  vapply(settings, text, "")
}
