library(ireland)

# ---- data: people whose rule is known, with missing values ----
set.seed(1)
n <- 400
people <- data.frame(age = sample(20:80, n, TRUE), smokes = runif(n) < 0.4, city = factor(sample(c("Cork", "Dublin", "Galway"), n, TRUE)),
                     visits = rpois(n, 3) + 0.5)
ill <- (people$age > 55 & people$smokes) | people$city == "Galway"
people$state <- factor(ifelse(ill, "ill", "well"))
seed_before <- .Random.seed

# ---- formula and matrix interface ----
fit <- ireland(state ~ ., people, K = 2, M = 2, positive = "ill", cuts = "all")
expect_inherits(fit, "ireland")
expect_equal(fit$status, "optimal")
expect_equal(fit$objective, 0)
expect_equal(length(fit$clauses), 2L)
expect_true("city = Galway" %in% unlist(fit$clauses))
expect_equal(fit$target, "state")
expect_identical(.Random.seed, seed_before, info = "random numbers of R are not touched")
other <- ireland(people[1:4], people$state, K = 2, M = 2, positive = "ill", cuts = "all")
expect_equal(other$rule, fit$rule)
expect_identical(predict(fit, people), people$state)
expect_identical(predict(fit, people[5:1, c("city", "smokes", "age")]), people$state[5:1])
few <- ireland(state ~ city, people, K = 1, M = 1, positive = "ill")
expect_equal(few$rule, "(city = Galway)")
expect_identical(predict(few, data.frame(city = "Galway")), factor("ill", levels = c("ill", "well")))
logged <- ireland(state ~ log(age) + smokes, people, K = 1, M = 2)
expect_equal(length(predict(logged, people)), n)

# ---- labels of any kind ----
x <- unname(as.matrix(expand.grid(0:1, 0:1))[rep(1:4, 10), ])
truth <- x[, 1] * x[, 2]
expect_equal(ireland(x, truth)$rule, "(x1 AND x2)")
expect_equal(predict(ireland(x, truth), x), truth)
expect_equal(predict(ireland(x, truth == 1), x), truth == 1)
expect_equal(predict(ireland(x, c("a", "b")[truth + 1]), x), c("a", "b")[truth + 1])
expect_equal(ireland(x, truth, positive = 0)$positive, "0")

# ---- types of predictions ----
prob <- predict(fit, people, type = "prob")
expect_equal(dim(prob), c(n, 2L))
expect_equal(colnames(prob), levels(people$state))
expect_equal(rowSums(prob), rep(1, n))
rules <- predict(fit, people, type = "rule")
expect_equal(dim(rules), c(n, 2L))
expect_equal(rowSums(rules) > 0, ill)
told <- ireland_explain(fit, people[1:20, ])
expect_equal(told$predicted, as.character(people$state[1:20]))
expect_equal(told$fired != "", ill[1:20])
measured <- ireland_evaluate(fit, people, people$state)
expect_equal(unname(measured["tp"]), sum(ill))
expect_equal(unname(measured["accuracy"]), 1)

# ---- methods ----
expect_stdout <- function(code, pattern) expect_true(any(grepl(pattern, capture.output(code), fixed = TRUE)), info = pattern)
expect_stdout(print(fit), "Rule for state = ill")
expect_stdout(print(summary(fit)), "fisher_p")
expect_equal(format(fit), fit$rule)
frame <- as.data.frame(fit)
expect_equal(sort(unique(frame$column)), c("age", "city", "smokes"))
expect_true(all(frame$fp == 0))
pdf(NULL)
expect_silent(plot(fit))
expect_silent(plot(ireland_curve(state ~ ., people, K = 2, M = 2, positive = "ill")))
invisible(dev.off())

# ---- missing values, unseen categories, columns that change ----
holes <- people
holes$age[1:50] <- NA
holes$city[51:90] <- NA
holed <- ireland(state ~ ., holes, K = 2, M = 2, positive = "ill")
expect_equal(length(predict(holed, holes)), n)
expect_warning(predict(few, data.frame(city = "Sligo")), "that it had not when the rule was learnt: Sligo")
expect_error(predict(fit, people["age"]), "newdata has no column")
bad <- people
bad$age <- "old"
expect_error(predict(fit, bad), "held numbers when the rule was learnt")
expect_error(predict(fit), "newdata is missing")

# ---- weights ----
y <- c(1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1)
z <- cbind(a = rep(1:0, each = 6), b = rep(0:1, each = 6))
heavy <- ifelse(z[, 1] == y, 5, 1)
expect_equal(ireland(z, y, weights = heavy, K = 1, M = 1)$rule, "(a)")
expect_equal(ireland(z, y, weights = 6 - heavy, K = 1, M = 1)$rule, "(b)")
d <- data.frame(z, y = y, w = heavy)
expect_equal(ireland(y ~ a + b, d, weights = w, K = 1, M = 1)$rule, "(a)")

# ---- mistakes are said, as conditions of their own class ----
caught <- tryCatch(ireland(x, truth, K = 0), ireland_error = function(e) conditionMessage(e))
expect_true(grepl("option K takes", caught))
expect_error(ireland(x, rep(1, 40)), "one class")
expect_error(ireland(x, seq_len(40) / 2), "numbers that are no classes")
expect_error(ireland_curve(x, rep(1:4, 10)), "4 classes; this is for two")
expect_error(ireland(x, rep(1:4, 10), positive = 1), "positive is for two classes")
expect_error(ireland(x, truth[-1]), "39 labels for 40 samples")
expect_error(ireland(x, c(NA, truth[-1])), "labels are missing")
expect_error(ireland(data.frame(d = as.Date("2020-01-01") + 0:39), truth), "holds dates")
expect_error(ireland(data.frame(d = c(Inf, 1:39)), truth), "infinity")
expect_error(ireland(x, truth, positive = 7), "positive is '7'")
expect_error(ireland(x, truth, options = list(colour = 1)), "no option named 'colour'")
expect_error(ireland(x), "no labels")
expect_error(ireland(state ~ age:visits, people), "interactions")
expect_error(ireland(~age, people), "no label on its left")
expect_error(ireland(list(1), truth), "data frame or a matrix")
expect_error(ireland(x, as.list(truth)), "y is a list")
expect_error(ireland(x, truth, options = list(1)), "by their names")
expect_error(ireland(x, truth, options = "cnf"), "by their names")
expect_error(ireland(x, truth, K = c(1, 2)), "K has one value")
expect_error(ireland(x, truth, positive = 0:1), "positive is one label")
expect_error(ireland(x, truth, weights = rep("a", 40)), "weights are numbers")
expect_error(ireland(x, truth, weights = rep(-1, 40)), "not a number from 0 on")
expect_error(ireland(setNames(data.frame(x), c(NA, "b")), truth), "name of column 1 is NA")
expect_error(ireland(data.frame(a = rep(c("\xff\xfe", "b"), 20)), truth), "not valid in its encoding")
expect_error(ireland(data.frame(x)[0, ], truth[0]), "0 samples")
expect_error(ireland(data.frame(a = I(as.list(1:40))), truth), "list or a matrix")
expect_error(predict(ireland(x, truth), 1:3), "data frame or a matrix")
expect_equal(length(predict(ireland(x, truth), x[0, ])), 0L)
expect_error(ireland_read(tempfile()), "there is no file")
latin <- rep(c("\xe9t\xe9", "hiver"), 20)
Encoding(latin) <- "latin1"
expect_equal(ireland(data.frame(season = latin), latin == latin[1], K = 1, M = 1)$rule, "(season = \u00e9t\u00e9)")
if (.Platform$OS.type == "unix") { # processes that are forked after the library was used
  found <- parallel::mclapply(1:2, function(k) ireland(state ~ ., people, K = 2, M = 2, positive = "ill", cuts = "all", threads = 2)$json, mc.cores = 2)
  expect_equal(unlist(found), rep(fit$json, 2))
}
ids <- data.frame(id = sprintf("P%d", 1:40), x = x[, 1])
expect_warning(ireland(ids, truth), "taken for an identifier")

# ---- proofs and certificates ----
noisy <- people
flip <- seq(1, n, by = 17)
noisy$state <- factor(ifelse(xor(ill, seq_len(n) %in% flip), "ill", "well"))
proven <- ireland(state ~ ., noisy, K = 2, M = 2, positive = "ill", prove = TRUE, certificate = TRUE)
expect_equal(proven$status, "optimal")
expect_equal(proven$bound, proven$objective)
expect_true(isTRUE(as.logical(ireland_verify(proven, noisy))))
wrong <- ireland_verify(proven, noisy, certificate = sub("end", "dne", proven$certificate))
expect_false(as.logical(wrong))
expect_true(nchar(attr(wrong, "reason")) > 0)
expect_error(ireland_verify(fit, people), "there is no certificate")

# ---- studies ----
curve <- ireland_curve(state ~ ., noisy, K = 2, M = 2, positive = "ill", sizes = TRUE)
points <- as.data.frame(curve)
expect_true(nrow(points) > 2)
expect_true(all(diff(points$specificity) <= 0) && all(diff(points$sensitivity) >= 0))
expect_true(nrow(as.data.frame(curve, kind = "literals")) > 0)
expect_stdout(print(curve), "Trade-off")
cv <- ireland_cv(state ~ ., noisy, K = 1:2, M = "1,2", penalty = 0, folds = 3, positive = "ill", negations = FALSE)
expect_equal(nrow(as.data.frame(cv)), 4L)
both <- ireland_cv(state ~ ., noisy, K = 1:2, M = 1, penalty = 0, folds = 3, positive = "ill", negations = c(FALSE, TRUE))
expect_equal(as.data.frame(both)$negations, c(FALSE, FALSE, TRUE, TRUE))
expect_equal(c(cv$K, cv$M), c(2, 2))
expect_stdout(print(cv), "Chosen by")
tuned <- ireland(state ~ ., noisy, tune = TRUE, K = 1:2, M = "1..2", positive = "ill")
expect_equal(sort(unique(as.data.frame(tuned$tuning)$K)), 1:2)
expect_equal(tuned$answer$K, tuned$tuning$K)
expect_null(ireland(state ~ ., noisy, K = 1, positive = "ill")$tuning)
twins <- data.frame(a = rep(1:0, 10), b = rep(1:0, 10))
all_rules <- ireland_optimal(twins, twins$a, K = 1, M = 1)
expect_equal(sort(vapply(all_rules, function(r) r$rule, "")), c("(a)", "(b)"))
expect_true(attr(all_rules, "is_complete"))
page <- ireland_report(state ~ ., noisy, K = 2, M = 2, positive = "ill")
expect_true(grepl("<!doctype html", tolower(substr(page, 1, 100)), fixed = TRUE))

# ---- rules as files and code ----
file <- tempfile(fileext = ".json")
ireland_write(fit, file)
again <- ireland_read(file)
expect_equal(again$rule, fit$rule)
expect_equal(predict(again, people), ill)
expect_true(grepl("\nCASE WHEN", ireland_export(fit, "sql"), fixed = TRUE))
expect_true(grepl("function", ireland_export(fit, "r"), fixed = TRUE))

# ---- rules from files, by options that only files have ----
csv <- tempfile(fileext = ".csv")
write.csv(transform(people, smokes = as.integer(smokes), clinic = rep(c("n", "s"), n / 2))[c(1:4, 6, 5)], csv, row.names = FALSE)
of_file <- ireland_file(csv, K = 2, M = 2, cuts = "all", options = list(positive = "ill", ignore = "clinic"))
expect_equal(of_file$rule, fit$rule)
expect_equal(of_file$status, "optimal")
expect_equal(predict(of_file, csv), ill)
expect_equal(predict(of_file, people), ill)
strata <- ireland_file(csv, K = 2, M = 2, options = list(positive = "ill", strata = "clinic"))
expect_true(grepl("strata|clinic", paste(unlist(strata$scope), collapse = " ")))
types <- tempfile()
writeLines(c("visits,ignore", "age,ignore"), types)
expect_false(any(grepl("visits|age", ireland_file(csv, options = list(positive = "ill", types = types))$rule)))
expect_error(ireland_file("nowhere.csv"), "nowhere.csv")
expect_error(ireland_file(csv, options = list(types = "nowhere")), "there is no file 'nowhere'")
expect_error(ireland_file(csv, options = list(maf = 0.1)), "has no effect")

# ---- objects survive saving ----
kept <- tempfile(fileext = ".rds")
saveRDS(fit, kept)
expect_identical(predict(readRDS(kept), people), predict(fit, people))

# ---- the same answer on any number of threads; CNF ----
expect_equal(ireland(state ~ ., noisy, K = 2, M = 2, threads = 1)$json, ireland(state ~ ., noisy, K = 2, M = 2, threads = 4)$json)
cnf <- ireland(x, truth, K = 2, M = 2, options = list(cnf = TRUE))
expect_equal(cnf$rule, "(x1) AND (x2)")
expect_equal(predict(cnf, x), truth)

# ---- limits keep the best rule ----
limited <- ireland(state ~ ., noisy, K = 4, M = 4, positive = "ill", prove = TRUE, work_limit = 1e6)
expect_true(limited$status %in% c("limit", "optimal") && limited$bound <= limited$objective)
