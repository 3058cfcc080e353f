# debian/r-help.R - takes out of an installed package's help where and when it was built: Rscript debian/r-help.R PACKAGE'S-FOLDER
without <- function(x) {
  kept <- attributes(x)
  kept$srcref <- NULL
  if (!is.null(kept$Rdfile)) kept$Rdfile <- basename(kept$Rdfile)
  if (is.list(x)) x <- lapply(x, without)
  attributes(x) <- kept
  x
}
folder <- file.path(commandArgs(TRUE), "help")
database <- file.path(folder, basename(commandArgs(TRUE)))
pages <- new.env()
invisible(lazyLoad(database, pages))
for (name in ls(pages)) assign(name, without(get(name, pages)), pages)
tools:::makeLazyLoadDB(pages, database)

paths <- readRDS(file.path(folder, "paths.rds"))
saveRDS(structure(substring(paths, attr(paths, "first")), first = 1L), file.path(folder, "paths.rds"))
