# debian/r-places.R - removes the paths and times of the build from an installed package:
#
#     Rscript debian/r-places.R INSTALLED-FOLDER FOLDER-OF-ITS-SOURCES
#
# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT
arguments <- commandArgs(TRUE)
installed <- arguments[1]

# The code records the folder that it was installed to, so install it again for its final folder.
tools:::.install_package_code_files(arguments[2], installed)
invisible(compiler::compilePKGS(TRUE))
tools:::makeLazyLoading(basename(installed), dirname(installed), keep.source = FALSE, keep.parse.data = FALSE,
                        set.install.dir = file.path("/usr/lib/R/site-library", basename(installed)))

# The help: remove source references and the paths of Rd files.
without <- function(x) {
  kept <- attributes(x)
  kept$srcref <- NULL
  if (!is.null(kept$Rdfile)) kept$Rdfile <- basename(kept$Rdfile)
  if (is.list(x)) x <- lapply(x, without)
  attributes(x) <- kept
  x
}
folder <- file.path(installed, "help")
database <- file.path(folder, basename(installed))
pages <- new.env()
invisible(lazyLoad(database, pages))
for (name in ls(pages)) assign(name, without(get(name, pages)), pages)
tools:::makeLazyLoadDB(pages, database)

paths <- readRDS(file.path(folder, "paths.rds"))
saveRDS(structure(substring(paths, attr(paths, "first")), first = 1L), file.path(folder, "paths.rds"))
