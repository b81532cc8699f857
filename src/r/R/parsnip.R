# A model for parsnip, which is not needed: it is made known when parsnip is loaded.

boolean_rules <- function(mode = "classification", engine = "ireland", clauses = NULL, literals = NULL, penalty = NULL) {
  if (!requireNamespace("parsnip", quietly = TRUE)) fail("boolean_rules is a model for package parsnip, which is not installed")
  if (!mode %in% c("classification", "unknown")) fail("boolean_rules tells classes apart; mode is \"classification\"")
  register_parsnip()
  parsnip::new_model_spec("boolean_rules", args = list(clauses = rlang::enquo(clauses), literals = rlang::enquo(literals),
                                                       penalty = rlang::enquo(penalty)),
                          eng_args = NULL, mode = mode, method = NULL, engine = engine)
}

update.boolean_rules <- function(object, parameters = NULL, clauses = NULL, literals = NULL, penalty = NULL, fresh = FALSE, ...) {
  args <- list(clauses = rlang::enquo(clauses), literals = rlang::enquo(literals), penalty = rlang::enquo(penalty))
  parsnip::update_spec(object = object, parameters = parameters, args_enquo_list = args, fresh = fresh, cls = "boolean_rules", ...)
}

# Ranges to tune in.
rule_clauses <- function(range = c(1L, 5L), trans = NULL) rule_size(range, trans, c(clauses = "Clauses"))
rule_literals <- function(range = c(1L, 4L), trans = NULL) rule_size(range, trans, c(literals = "Literals of a Clause"))

rule_size <- function(range, trans, label) {
  if (!requireNamespace("dials", quietly = TRUE)) fail("a range to tune in needs package dials, which is not installed")
  dials::new_quant_param(type = "integer", range = range, inclusive = c(TRUE, TRUE), trans = trans, label = label)
}

# Does parsnip know the model? It keeps its own list, anew in each session.
register_parsnip <- function() {
  model <- "boolean_rules"
  if (model %in% parsnip::get_from_env("models")) return(invisible())
  parsnip::set_new_model(model)
  parsnip::set_model_mode(model, "classification")
  parsnip::set_model_engine(model, "classification", "ireland")
  parsnip::set_dependency(model, "ireland", "ireland")
  argument <- function(name, original, pkg, fun) {
    parsnip::set_model_arg(model, eng = "ireland", parsnip = name, original = original, func = list(pkg = pkg, fun = fun),
                           has_submodel = FALSE)
  }
  argument("clauses", "K", "ireland", "rule_clauses")
  argument("literals", "M", "ireland", "rule_literals")
  argument("penalty", "penalty", "dials", "penalty")
  parsnip::set_fit(model, mode = "classification", eng = "ireland", value = list(
    interface = "data.frame", protect = c("x", "y", "weights"), func = c(pkg = "ireland", fun = "ireland"), defaults = list()))
  parsnip::set_encoding(model, mode = "classification", eng = "ireland", options = list(
    predictor_indicators = "none", compute_intercept = FALSE, remove_intercept = FALSE, allow_sparse_x = TRUE))
  prediction <- function(type, own, post = NULL) {
    parsnip::set_pred(model, mode = "classification", eng = "ireland", type = type, value = list(
      pre = NULL, post = post, func = c(fun = "predict"),
      args = list(object = quote(object$fit), newdata = quote(new_data), type = own)))
  }
  prediction("class", "class")
  prediction("prob", "prob", function(x, object) as.data.frame(x, stringsAsFactors = FALSE))
  prediction("raw", "rule")
  invisible()
}

.onLoad <- function(libname, pkgname) {
  if (isNamespaceLoaded("parsnip")) register_parsnip()
  else setHook(packageEvent("parsnip", "onLoad"), function(...) register_parsnip())
}
