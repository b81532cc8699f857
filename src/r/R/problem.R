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
  if (is.factor(values)) return(sorted_factor(values, name))
  if (is.character(values)) {
    different <- unique(values)
    return(sorted_factor(structure(match(values, different, incomparables = NA), levels = different[!is.na(different)], class = "factor"), name))
  }
  if (!is.numeric(values) && !is.logical(values)) fail("column '", name, "' is of class ", class(values)[1L], ", of which nothing can be made")
  if (is.double(values)) attributes(values) <- NULL # such as names, which would be copied about
  if (is.double(values) && any(is.infinite(values))) fail("column '", name, "' contains infinity")
  values
}

# A factor whose levels are those that occur, in the order of their bytes.
sorted_factor <- function(values, name) {
  codes <- as.integer(values)
  texts <- levels(values)
  if (!all(validEnc(texts))) fail("column '", name, "' has a text that is not valid in its encoding: iconv() mends it")
  used <- which(tabulate(codes, length(texts)) > 0L)
  order <- used[order(texts[used], method = "radix")]
  numbers <- integer(length(texts))
  numbers[order] <- seq_along(order)
  structure(numbers[codes], levels = enc2utf8(texts[order]), class = "factor")
}

type_of_column <- function(values) {
  if (is.factor(values)) type_category
  else if (is.logical(values) || all(is.na(values) | values == 0 | values == 1)) type_binary
  else type_number
}

# ---- sparse matrices, of package Matrix, which is not needed: their slots are attributes ----

# In compressed columns: the stored rows of column k, counted from 0, are those of i from p[k] to p[k + 1]; x NULL: all are 1.
sparse_parts <- function(x) {
  if (!inherits(x, c("dgCMatrix", "lgCMatrix", "ngCMatrix"))) {
    if (!inherits(x, "sparseMatrix") && !inherits(x, c("dgTMatrix", "dgRMatrix", "dsCMatrix", "dtCMatrix"))) return(NULL)
    fail("a sparse matrix of class ", class(x)[1L], " is not understood: pass as(as(x, \"generalMatrix\"), \"CsparseMatrix\")")
  }
  size <- attr(x, "Dim")
  names <- attr(x, "Dimnames")[[2L]]
  list(p = attr(x, "p"), i = attr(x, "i"), x = if (!inherits(x, "ngCMatrix")) attr(x, "x"), n = size[1L],
       names = if (is.null(names)) matrix_names(size[2L]) else names)
}

matrix_names <- function(m) sprintf("x%d", seq_len(m))

sparse_column <- function(parts, k) {
  stored <- seq.int(parts$p[k] + 1L, length.out = parts$p[k + 1L] - parts$p[k])
  values <- numeric(parts$n)
  values[parts$i[stored] + 1L] <- if (is.null(parts$x)) 1 else as.double(parts$x[stored])
  values
}

# Some columns as a frame.
sparse_frame <- function(parts, names) {
  columns <- lapply(match(names, parts$names), function(k) sparse_column(parts, k))
  structure(setNames(columns, names), class = "data.frame", row.names = seq_len(parts$n))
}

# What the C code makes bits of; NULL: there are other values than 0 and 1.
sparse_bits <- function(parts) {
  x <- parts$x
  if (!is.null(x) && (anyNA(x) || !all(x == 0 | x == 1))) return(NULL)
  list(parts$p, parts$i, if (!is.null(x) && any(x == 0)) x != 0)
}

# ---- columns ----

# A frame with named columns, whatever x is.
frame_of <- function(x) {
  parts <- sparse_parts(x)
  if (!is.null(parts)) return(sparse_frame(parts, parts$names))
  if (is.matrix(x)) {
    if (!is.numeric(x) && !is.logical(x) && !is.character(x)) fail("a matrix of ", typeof(x), " cannot be learnt from")
    if (is.null(colnames(x))) colnames(x) <- matrix_names(ncol(x))
    x <- as.data.frame(x, stringsAsFactors = FALSE)
  }
  if (!is.data.frame(x)) fail("x is a data frame or a matrix, not of class ", class(x)[1L])
  x
}

check_names <- function(names) {
  if (!length(names)) fail("there are no columns to learn from")
  if (anyNA(names)) fail("the name of column ", which(is.na(names))[1L], " is NA")
  if (anyDuplicated(names)) fail("two columns are called '", names[duplicated(names)][1L], "'")
  names
}

columns_of <- function(x) {
  x <- frame_of(x)
  names <- check_names(names(x))
  n <- nrow(x)
  setNames(lapply(seq_along(x), function(j) take_column(names[j], x[[j]], n)), names)
}

# ---- labels ----

label_kind <- function(y) if (is.factor(y)) "factor" else if (is.logical(y)) "logical" else if (is.numeric(y)) "numeric" else "character"

# Labels: their levels, and 1 for the cases. As in glm the second of two levels is that of the cases, unless `positive` names one. Of
# more levels, where `many` may be, there are no cases yet.
take_labels <- function(y, n, positive, many) {
  if (is.null(y)) fail("there are no labels: y is NULL")
  if (is.list(y) && !is.data.frame(y)) fail("y is a list, not a vector of labels")
  if (!is.null(dim(y)) && ncol(as.matrix(y)) == 1L) y <- as.vector(as.matrix(y))
  if (length(y) != n) fail("there are ", length(y), " labels for ", n, " samples")
  if (anyNA(y)) fail("labels are missing (NA): leave these samples out")
  levels <- if (is.factor(y)) levels(droplevels(y)) else as.character(sort(unique(y)))
  if (length(levels) < 2L) fail("y has one class: nothing can be told apart")
  labels <- list(values = as.character(y), levels = levels, kind = label_kind(y))
  if (length(levels) == 2L) return(labels_for(labels, positive))
  if (!many) fail("y has ", length(levels), " classes; this is for two: pass y == \"", levels[1L], "\"")
  if (is.numeric(y) && any(y != round(y))) fail("y holds numbers that are no classes; make classes of them first, such as y > 1")
  if (!is.null(positive)) {
    fail("positive is for two classes, y has ", length(levels), ": pass y == \"", positive, "\", or leave it out for a rule for each")
  }
  labels
}

# Those of one class against the other or the others.
labels_for <- function(labels, positive) {
  levels <- labels$levels
  positive <- if (is.null(positive)) levels[2L] else as.character(positive)
  if (length(positive) != 1L) fail("positive is one label, not ", length(positive))
  if (!positive %in% levels) fail("positive is '", positive, "', but the classes are '", paste(levels, collapse = "' and '"), "'")
  labels$cases <- as.raw(labels$values == positive)
  labels$positive <- positive
  labels$negative <- if (length(levels) == 2L) setdiff(levels, positive) else paste("not", positive)
  labels
}

# ---- problems ----

# x and y as a problem. Of a sparse matrix of 0/1 without weights it has `bits` in place of columns; with_columns has these too.
problem_of <- function(x, y, weights, positive, target = "y", terms = NULL, many = FALSE) {
  parts <- sparse_parts(x)
  bits <- if (!is.null(parts) && is.null(weights)) sparse_bits(parts)
  problem <- list(target = target, terms = terms, bits = bits, sparse = if (!is.null(bits)) parts)
  if (is.null(bits)) {
    problem$columns <- columns_of(x)
    problem$names <- names(problem$columns)
    problem$types <- types_of(problem$columns)
  } else {
    problem$names <- check_names(parts$names)
    problem$types <- rep(type_binary, length(parts$names))
  }
  n <- if (is.null(bits)) length(problem$columns[[1L]]) else parts$n
  if (n < 2L) fail("there are ", n, " samples; at least two are needed")
  problem$labels <- take_labels(y, n, positive, many)
  if (!is.null(weights)) {
    if (length(weights) != n) fail("there are ", length(weights), " weights for ", n, " samples")
    if (!is.numeric(weights)) fail("weights are numbers, not of class ", class(weights)[1L])
    if (anyNA(weights)) fail("weights are missing (NA)")
    problem$weights <- as.double(weights)
  }
  problem
}

with_columns <- function(problem) {
  if (!is.null(problem$bits)) problem$columns <- as.list(sparse_frame(problem$sparse, problem$names))
  problem["bits"] <- list(NULL)
  problem
}

# Some columns of a problem, by name.
some_columns <- function(problem, names) {
  if (is.null(problem$bits)) problem$columns[names] else as.list(sparse_frame(problem$sparse, names))
}

types_of <- function(columns) {
  types <- unname(vapply(columns, type_of_column, 0L))
  n <- length(columns[[1L]])
  for (k in which(types == type_category)) {
    different <- nlevels(columns[[k]])
    if (different > most_values || (different > few_values && 2L * different > n)) {
      warning("column '", names(columns)[k], "' has ", different, " different texts, is taken for an identifier and left out",
              call. = FALSE)
      types[k] <- type_ignored
    }
  }
  types
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

problem_of_formula <- function(formula, data, weights, positive, parent, many = FALSE) {
  frame <- frame_of_formula(formula, data, weights, parent)
  made <- attr(frame, "terms")
  target <- names(frame)[attr(made, "response")]
  problem_of(frame[setdiff(names(frame), c(target, "(weights)"))], model.response(frame), model.weights(frame), positive, target, made,
             many)
}

# The list that the C code takes.
for_library <- function(problem) {
  words <- c(problem$target, problem$labels$positive, problem$labels$negative)
  list(unname(problem$columns), problem$names, problem$types, problem$labels$cases, problem$weights, words, problem$bits)
}

# Settings as texts by name; those that are NULL or FALSE are not given.
settings_of <- function(settings) {
  settings <- Filter(function(value) !is.null(value) && !identical(value, FALSE), settings)
  text <- function(name) {
    value <- settings[[name]]
    if (length(value) != 1L || is.na(value)) fail(name, " has one value that is not NA")
    if (isTRUE(value)) "" else if (is.numeric(value)) format(value, digits = 17L, scientific = FALSE, trim = TRUE) else as.character(value)
  }
  vapply(names(settings), text, "")
}
