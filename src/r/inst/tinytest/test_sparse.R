library(ireland)
if (!requireNamespace("Matrix", quietly = TRUE)) exit_file("needs Matrix")

# ---- sparse matrices: the same rules as from dense ones ----
set.seed(3)
n <- 500
dense <- matrix(as.double(runif(n * 40) < 0.1), n)
y <- (dense[, 3] == 1 | dense[, 7] == 1) != (runif(n) < 0.05)
sparse <- Matrix::Matrix(dense, sparse = TRUE)
expect_inherits(sparse, "dgCMatrix")
expected <- ireland(dense, y, K = 2, M = 2)
fit <- ireland(sparse, y, K = 2, M = 2)
expect_equal(fit$clauses, expected$clauses)
expect_equal(fit$answer$work, expected$answer$work)
expect_equal(fit$objective, expected$objective)
expect_equal(predict(fit, sparse), predict(expected, dense))
expect_equal(predict(fit, dense), predict(expected, dense))
expect_equal(predict(fit, sparse, type = "prob"), predict(expected, dense, type = "prob"))
expect_equal(fit$levels, c("FALSE", "TRUE"))
for (kind in c("lMatrix", "nMatrix")) {
  other <- as(sparse, kind)
  expect_equal(ireland(other, y, K = 2, M = 2)$clauses, expected$clauses, info = kind)
  expect_equal(predict(fit, other), predict(expected, dense), info = kind)
}
named <- sparse
dimnames(named) <- list(NULL, sprintf("f%d", 1:40))
by_name <- ireland(named, y, K = 2, M = 2)
expect_equal(by_name$used, sub("x", "f", fit$used))
expect_equal(predict(by_name, named[, 40:1]), predict(expected, dense))
expect_error(predict(by_name, named[, 10:40]), "newdata has no column")
expect_error(predict(fit, sparse[, 1:3]), "newdata has 3 columns")
# Zeros that are stored count as zeros.
zeros <- sparse
zeros@x[1:20] <- 0
expect_equal(ireland(zeros, y, K = 2, M = 2)$clauses, ireland(as.matrix(zeros), y, K = 2, M = 2)$clauses)
# Other numbers, weights and studies go by columns.
numbers <- sparse * 2.5
expect_equal(ireland(numbers, y, K = 2, M = 2)$json, ireland(as.matrix(numbers), y, K = 2, M = 2)$json)
weights <- runif(n)
expect_equal(ireland(sparse, y, weights = weights, K = 2, M = 2)$json, ireland(dense, y, weights = weights, K = 2, M = 2)$json)
expect_equal(ireland_curve(sparse, y, K = 1, M = 2)$area, ireland_curve(dense, y, K = 1, M = 2)$area)
expect_equal(as.data.frame(ireland_cv(sparse, y, K = 1, M = 1:2, folds = 3)), as.data.frame(ireland_cv(dense, y, K = 1, M = 1:2, folds = 3)))
proven <- ireland(sparse, y, K = 1, M = 1, prove = TRUE, certificate = TRUE)
expect_true(isTRUE(as.logical(ireland_verify(proven, sparse, y))))
many <- ireland(sparse, ifelse(dense[, 3] == 1, "a", ifelse(dense[, 7] == 1, "b", "c")), K = 1, M = 2, negations = TRUE)
expect_equal(many$rules$a$rule, "(x3)")
expect_error(ireland(Matrix::Matrix(crossprod(dense), sparse = TRUE), rep(0:1, 20)), "as(as(x, \"generalMatrix\"), \"CsparseMatrix\")", fixed = TRUE)
broken <- sparse
broken@i[5] <- 7000L
expect_error(ireland(broken, y), "not valid")
# Wide ones stay sparse: as a dense matrix this would be 160 MB.
wide <- Matrix::sparseMatrix(i = rep(1:1000, 10), j = sample(2e4, 1e4, TRUE), x = 1, dims = c(1000, 2e4))
wide@x[] <- 1
label <- as.vector(wide[, wide@i[1] + 1L] > 0) | seq_len(1000) %% 100 == 0
expect_true(ireland(wide, label, K = 1, M = 1)$objective >= 0)
