/* docs/manual/search.js - a search box on every page. It finds functions by a part of their name, by their PyTorch or
 * NumPy name as a program spells it, by the words of search-words.txt, and by words of their description. Doxygen's own
 * search finds names by their beginning only, and all of ours begin with heed_.
 *
 * The box is in the element with the id "search", or in the upper right corner of a page without this element.
 *
 * search-index.js, which docs/manual/make/pages.py writes, has `heed_index`, a list of entries [name, address, other
 * names, text, words], where `words` maps further names to the entry's order among the entries of that name.
 *
 * SPDX-FileCopyrightText: 2026 heed contributors
 * SPDX-License-Identifier: MIT */
"use strict";

/* The usual names of variables and modules, by the part of PyTorch's full names that they stand for: model.eval is
 * torch.nn.Module.eval. */
const RECEIVERS = {
    functional: "f", numpy: "np", distributed: "dist", optimizer: "opt", steplr: "scheduler sched",
    module: "model net self layer encoder decoder",
    tensor: "x y z a b t w p param loss out output input inputs labels logits grad",
};
const receivers = new Map(Object.entries(RECEIVERS).flatMap(([part, names]) => names.split(" ").map(name => [name, part])));

/* Expressions of Python, and the name that they stand for. */
const EXPRESSIONS = [
    [/^\w+\[.*[<>=!~].*\]\s*=(?!=)/, () => "masked_fill"],
    [/^\w+\[.*[<>=!~].*\]/, () => "masked_select"],
    [/^\w+\[.*\]\s*=(?!=)/, () => "tensor.__setitem__"],
    [/^\w+\[/, () => "tensor.__getitem__"],
    [/^\w{1,2}\s*([^\w\s.,()[\]'"]+)\s*[\w.]{1,3}$/, found => found[1]],
    [/^\w+\s+([^\w\s.,()[\]'"]+)\s+[\w.]+$/, found => found[1]],
];

/* A statement without its keyword, colon, and the side of an assignment that is not a call. */
function expressionOf(statement)
{
    const plain = statement.trim().replace(/^class \w+\((.+?)\)?:?$/, "$1").replace(/^(?:with|return|import)\s+/, "");
    const [, target, value] = plain.replace(/\):$/, ")").match(/^([\w.]+)\s*=(?!=)\s*(.+)$/) || [];
    return target === undefined ? plain : value.includes("(") ? value : target;
}

/* The names that a query may mean, best first: "nn.ReLU()" means nn.relu and relu, "x.to('cuda')" means
 * tensor.to(cuda), to(cuda), tensor.to and to, "x.add_" also means add. */
function spellings(query)
{
    const [, called, given] = expressionOf(query.toLowerCase()).match(/^[\s.]*([^(]*)(\(.*)?$/s);
    const path = called.trim().replace(/\.+$/, "").replace(/^([\w.]*\w)\[.*$/, "$1");
    const parts = /\s/.test(path) ? [path] : path.split(".");
    const receiver = (part, at) => at + 1 < parts.length && receivers.get(part) || part;
    const names = parts.map((part, at) => [receiver(part, at), ...parts.slice(at + 1)].join("."));
    const argument = (given || "").replace(/["'\s]/g, "");
    const expression = EXPRESSIONS.map(([form, name]) => [query.trim().match(form), name]).find(([match]) => match);
    const all = [
        ...(expression ? [expression[1](expression[0])] : []),
        ...(argument.length > 2 ? names.map(name => name + argument) : []),
        ...names,
        ...names.map(name => name.replace(/ /g, "_").replace(/(\w)_$/, "$1")),
    ];
    return [...new Set(all.filter(name => name))];
}

const isPattern = word => /^\*\w|\w.*\*$/.test(word);

/* Whether a pattern of search-words.txt, "torch.fft.*" or "*_", fits a name, which may lack the pattern's first parts. */
function fits(pattern, name)
{
    if (pattern.startsWith("*"))
        return name.endsWith(pattern.slice(1)) && /\w__?$/.test(name) && !name.endsWith("__");
    const parts = pattern.slice(0, -1).split(".");
    const hasPath = /^[^(]*\.[^(]*$/.test(name);
    return hasPath && parts.slice(0, -1).some((part, at) => name.startsWith(parts.slice(at).join(".")));
}

/* An entry of the index in lower case, with its names in lists. */
function prepared(entry)
{
    const [name, , also, text, words] = entry, own = name.toLowerCase();
    const outside = also.toLowerCase().split(" ").filter(other => other);
    const known = [...outside.map(other => [other, 0]), ...Object.entries(words)];
    const others = known.map(([other]) => other).join(" ");
    return {entry, own, short: own.replace(/^heed_/, ""), others, parts: others.split(/[\s.]/), text: text.toLowerCase(),
            patterns: known.filter(([other]) => isPattern(other)), known: known.filter(([other]) => !isPattern(other))};
}

/* How exactly an entry has one of the names: smaller is better, Infinity if it has none of them. */
function exactness({own, short, known, patterns}, names)
{
    let best = Infinity;
    names.forEach((name, at) => {
        const grade = (number, order) => best = Math.min(best, 4 * at + number + order / 16);
        if (own === name)
            grade(0, 0);
        if (short === name)
            grade(1.99, 0);
        for (const [other, order] of known)
            if (other === name || other.endsWith("." + name))
                grade(other === name ? 1 : 2, order);
        for (const [pattern] of patterns)
            if (fits(pattern, name))
                grade(4 - pattern.length / 100, 0);
    });
    return best;
}

/* How well an entry fits words that are not its name: smaller is better, Infinity if a word is missing. */
function likeness({own, short, others, parts, text}, words)
{
    const places = [word => short.startsWith(word), word => parts.some(part => part.startsWith(word)),
                    word => short.includes(word), word => others.includes(word),
                    word => own.includes(word) || others.includes(word) || text.includes(word)];
    const place = places.findIndex(has => words.every(has));
    return place < 0 ? Infinity : place;
}

const everything = heed_index.map(prepared);
const folder = document.currentScript?.src; /* addresses are relative to the manual's folder, which this file is in */

function found(query)
{
    const names = spellings(query), written = query.trim().replace(/\(.*$/s, ""); /* heed_shape is not HEED_SHAPE */
    const plain = names.find(name => !/[.(\s]/.test(name)) || names[0];
    const words = /\s/.test(query.trim()) ? query.toLowerCase().trim().split(/\s+/) : [plain];
    const rank = one => Math.min(one.entry[0] === written ? -1 : exactness(one, names), 1000 + likeness(one, words));
    const ranked = everything.map(one => [rank(one), one]).filter(([order]) => order < Infinity);
    ranked.sort(([a, x], [b, y]) => a - b || x.own.length - y.own.length || (x.own < y.own ? -1 : 1));
    return ranked.slice(0, 30).map(([, one]) => one.entry);
}

const nothing = query => ["Nothing found", "torch_names.html", "",
                          `${query}: the page "Names in PyTorch" lists every name that has a function of heed`, {}];

function line([name, address, also, text])
{
    const item = document.createElement("li"), link = document.createElement("a");
    const title = document.createElement("b"), says = document.createElement("span");
    link.href = new URL(address, folder);
    title.textContent = name;
    says.textContent = also ? `${text} · ${also}` : text;
    says.classList.toggle("whole", address.startsWith("lacking.html"));
    link.append(title, says);
    item.append(link);
    return item;
}

function choose(list, step)
{
    const items = [...list.children], now = items.findIndex(item => item.className);
    items.forEach(item => item.className = "");
    const next = items[(now + step + items.length) % items.length];
    if (next) {
        next.className = "chosen";
        next.scrollIntoView({block: "nearest"});
    }
}

document.addEventListener("DOMContentLoaded", () => {
    const box = document.createElement("div"), input = document.createElement("input"), list = document.createElement("ul");
    box.id = "find";
    input.type = "search";
    input.placeholder = "Search ( / ): F.softmax, torch.cat ...";
    input.setAttribute("aria-label", "Find a function");
    const show = () => {
        const query = input.value.trim();
        const entries = query ? found(query) : [];
        list.replaceChildren(...(query && !entries.length ? [nothing(query)] : entries).map(line));
        choose(list, 1);
    };
    input.addEventListener("input", show);
    input.addEventListener("focus", show);
    box.addEventListener("focusout", event => box.contains(event.relatedTarget) || list.replaceChildren());
    input.addEventListener("keydown", event => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            choose(list, event.key === "ArrowDown" ? 1 : -1);
        } else if (event.key === "Enter")
            list.querySelector(".chosen a")?.click();
        else if (event.key === "Escape")
            list.replaceChildren();
    });
    document.addEventListener("keydown", event => {
        if (event.key === "/" && document.activeElement !== input) {
            event.preventDefault();
            input.focus();
        }
    });
    list.addEventListener("click", () => setTimeout(() => list.replaceChildren()));
    box.append(input, list);
    (document.getElementById("search") || document.body).append(box);
    const query = new URLSearchParams(location.search).get("find"); /* functions.html?find=F.softmax */
    if (query) {
        input.value = query;
        input.focus();
        show();
    }
});
