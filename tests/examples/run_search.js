/* tests/examples/run_search.js - runs the manual's search outside a browser.
 *
 *     node run_search.js search-index.js search.js <queries.json
 *
 * The queries are a list of texts. The result on standard output has a list for each: [name, address, whether the entry has
 * exactly a name that the query spells] of each entry that the search finds, in its order.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
"use strict";

const fs = require("fs"), vm = require("vm");

const [index, search] = process.argv.slice(2).map(file => fs.readFileSync(file, "utf8"));
const context = vm.createContext({document: {addEventListener() {}}});
vm.runInContext(`${index}\n${search.replace('"use strict";', "")}\n`, context);
context.queries = JSON.parse(fs.readFileSync(0, "utf8"));
console.log(vm.runInContext(`JSON.stringify(queries.map(query => found(query).map(
    entry => [entry[0], entry[1], exactness(prepared(entry), spellings(query)) < Infinity])))`, context));
