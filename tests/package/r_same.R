# The same rule from a frame in R as from its CSV on the command line, to the byte of its JSON, on tables that come with R and with
# the sources: Rscript r_same.R IRELAND DATA FOLDER
arguments <- commandArgs(TRUE)
program <- arguments[1]
folder <- arguments[3]
library(ireland)
sets <- list(
  iris = transform(iris, Species = Species == "versicolor"), mtcars = transform(mtcars, am = am),
  infert = infert[c("education", "age", "parity", "induced", "spontaneous", "case")], airquality = transform(airquality, hot = Temp > 80)[-4],
  esoph = transform(esoph, many = ncases > 1)[c("agegp", "alcgp", "tobgp", "many")], warpbreaks = transform(warpbreaks, many = breaks > 26)[-1],
  CO2 = transform(CO2, high = uptake > 28)[c("Type", "Treatment", "conc", "high")], swiss = transform(swiss, high = Fertility > 70)[-1],
  ToothGrowth = transform(ToothGrowth, long = len > 19)[-1], quakes = transform(quakes, strong = mag > 5)[-4],
  Titanic = transform(as.data.frame(Titanic), yes = Survived == "Yes")[c("Class", "Sex", "Age", "Freq", "yes")])
for (name in c("monks1", "monks3", "tic_tac_toe", "planted_noisy")) sets[[name]] <- read.csv(file.path(arguments[2], paste0(name, ".csv")), check.names = FALSE)
sets$mtcars <- sets$mtcars[c(setdiff(names(sets$mtcars), "am"), "am")]
for (name in names(sets)) {
  frame <- sets[[name]]
  row.names(frame) <- NULL
  last <- names(frame)[ncol(frame)]
  logicals <- vapply(frame, is.logical, NA)
  frame[logicals] <- lapply(frame[logicals], as.integer)
  csv <- file.path(folder, paste0(name, ".csv"))
  json <- file.path(folder, paste0(name, ".json"))
  write.csv(frame, csv, row.names = FALSE, na = "")
  status <- system2(program, c("fit", shQuote(csv), "-K", "2", "-M", "3", "--quiet", "-o", shQuote(json), "--positive", "1"), stdout = FALSE, stderr = FALSE)
  expected <- readChar(json, file.size(json), useBytes = TRUE)
  formula <- stats::reformulate(".", as.name(last))
  found <- ireland(formula, frame, K = 2, M = 3)$json
  word <- if (status == 0 && identical(found, expected)) "PASS" else "FAIL"
  cat(word, " the same rule on ", name, if (word == "FAIL") paste0(": ", substr(expected, 1, 60)), "\n", sep = "")
}
