/* docs/manual/search.js - a box on each page that finds functions by any part of their name, by PyTorch's or NumPy's name, or by
 * words of what they do. Doxygen's own finds what a name begins with, and all of ours begin with heed_.
 *
 * search-index.js, which docs/manual/make/pages.py writes, has `heed_index`: [name, address, other names, text] of each.
 */
"use strict";

/* Smaller is better; Infinity where a word is missing. */
function rank([name, , also, text], query)
{
    const words = query.split(/\s+/), short = name.replace(/^heed_/, "");
    const all = `${name} ${also} ${text}`.toLowerCase();
    if (!words.every(word => all.includes(word)))
        return Infinity;
    if (name === query || short === query)
        return 0;
    const others = also.toLowerCase().split(" ");
    if (others.some(other => other === query || other.endsWith("." + query)))
        return 1;
    if (words.every(word => short.startsWith(word)))
        return 2;
    if (words.every(word => name.toLowerCase().includes(word)))
        return 3;
    return words.every(word => also.toLowerCase().includes(word)) ? 4 : 5;
}

function found(query)
{
    const ranked = heed_index.map(entry => [rank(entry, query), entry]).filter(([order]) => order < Infinity);
    ranked.sort(([a, x], [b, y]) => a - b || x[0].length - y[0].length || (x[0] < y[0] ? -1 : 1));
    return ranked.slice(0, 30).map(([, entry]) => entry);
}

function line([name, address, also, text])
{
    const item = document.createElement("li"), link = document.createElement("a");
    const title = document.createElement("b"), says = document.createElement("span");
    link.href = address;
    title.textContent = name;
    says.textContent = also ? `${text} · ${also}` : text;
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
    input.placeholder = "Search ( / ): softmax, torch.cat ...";
    input.setAttribute("aria-label", "Find a function");
    const show = () => {
        const query = input.value.trim().toLowerCase();
        list.replaceChildren(...(query ? found(query).map(line) : []));
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
    document.body.append(box);
    const query = new URLSearchParams(location.search).get("find"); /* functions.html?find=softmax */
    if (query) {
        input.value = query;
        input.focus();
        show();
    }
});
