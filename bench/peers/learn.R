# Logic regression on prepared folds of bits: learn.R LogicReg|logicDT FOLDER FOLDS. Prints a line `fold 0110...` of predictions for each test
# file. LogicReg: one logic tree of at most 12 leaves by simulated annealing (25,000 steps), logistic model; logicDT: greedy, at most 6 variables in 3 terms
words <- commandArgs(trailingOnly = TRUE)
suppressMessages(library(words[1], character.only = TRUE))
bits <- function(part, k) as.matrix(read.csv(sprintf("%s/bits.%s.%d.csv", words[2], part, k), check.names = FALSE))
for (k in seq_len(as.integer(words[3])) - 1) {
  set.seed(1)
  train <- bits("train", k)
  test <- bits("test", k)
  last <- ncol(train)
  y <- train[, last]
  if (words[1] == "LogicReg") {
    sink(tempfile())
    fit <- logreg(resp = y, bin = train[, -last], type = 3, select = 1, ntrees = 1, nleaves = 12,
                  anneal.control = logreg.anneal.control(start = 1, end = -3, iter = 25000, update = 0))
    chance <- predict(fit, newbin = test[, -last])
    sink()
  } else {
    fit <- logicDT(train[, -last], y, search_algo = "greedy", max_vars = 6, max_conj = 3)
    chance <- predict(fit, test[, -last])
  }
  cat("fold ", paste(as.integer(chance > 0.5), collapse = ""), "\n", sep = "")
}
