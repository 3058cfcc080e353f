# R/classes.R - methods of a classifier, the fit of a response with labels.
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

predict.heed_np_classes <- function(object, newdata, type = c("class", "prob"), na.action = stats::na.pass, ...)
{
    no_more("predict.heed_np_classes", ...)
    type <- match.arg(type)
    place <- places(object, if (!missing(newdata)) newdata, na.action)
    p <- place$named(probabilities(object, place$x))
    if (type == "prob") p else class_with(object, p)
}

fitted.heed_np_classes <- function(object, ...) predict(object, type = "prob")

# The numbers of the labels that occur in rows of a weight above 0.
present_of <- function(object)
    sort(unique(if (is.null(object$weights)) object$y else object$y[object$weights > 0]))

# Returns the probabilities of the labels, (n, k), at the columns of x, (d, n).
probabilities <- function(object, x)
{
    labels <- object$labels[present_of(object)]
    p <- where_known(x, function(at) t(.Call(C_classify, pointer_of(object), at, length(labels))))
    `colnames<-`(p, labels)
}

# Returns the most probable label of every row of p, as a vector of the response's type. Among equally probable labels it
# is the first.
class_with <- function(object, p)
{
    known <- !is.na(p[, 1L])
    labels <- rep(NA_character_, nrow(p))
    labels[known] <- colnames(p)[max.col(p[known, , drop = FALSE], "first")]
    labels <- switch(object$response, logical = as.logical(labels), character = labels,
                     factor(labels, levels = object$labels, ordered = object$response == "ordered"))
    setNames(labels, rownames(p))
}

summary.heed_np_classes <- function(object, ...)
{
    rows <- object$labels[object$y]
    predicted <- as.character(class_with(object, probabilities(object, object$x)))
    confusion <- table(Label = factor(rows, levels = object$labels), Predicted = factor(predicted, levels = object$labels))
    result <- summary.heed_np_density(object)
    result$confusion <- confusion
    structure(result, class = c("summary.heed_np_classes", class(result)))
}

print.summary.heed_np_classes <- function(x, digits = max(3L, getOption("digits") - 3L), ...)
{
    NextMethod()
    cat("\nRows by their label and the predicted label:\n")
    print(x$confusion)
    invisible(x)
}
