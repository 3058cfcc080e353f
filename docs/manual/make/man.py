"""docs/manual/make/man.py - makes the man pages: heed_NAME(3) for every function, heed(7), heed-gradcheck(1), heed-np(1).

They are made directly from the headers: Doxygen would make one page per header, and man would not find the functions.
"""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import re

from library import MANUAL, PROMISES, blocks, in_short, split_first

SIBLINGS = 12
EVERYWHERE = {"heed_shape", "heed_status", "heed_dtype"}  # types that pages do not repeat
RETURNS = {
    "tensor": ("The result, which belongs to the innermost open scope (`heed_scope_begin`(3)); NULL on failure and if an argument is "
               "a NULL tensor. `heed_error_message`(3) describes the error."),
    "status": "HEED_OK, or the code of the error; `heed_error_message`(3) describes it.",
}


def escape(text):
    """Escapes troff's markup: backslashes, hyphens used as minus signs, dots and quotes at the beginning of a line."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.M)


def inline(text):
    """A paragraph with `names` and heed_names in bold."""
    parts = re.split(r"`([^`\n]+)`|\b(heed_\w+|HEED_\w+)\b", text)
    out = []
    for plain, quoted, name in zip(parts[0::3], [*parts[1::3], None], [*parts[2::3], None]):
        out.append(escape(plain))
        if quoted or name:
            out.append(f"\\fB{escape(quoted or name)}\\fP")
    return re.sub(r"^(?=[.'])", r"\\&", "".join(out), flags=re.M)


def code(text):
    lines = [line if not line.startswith((".", "'")) else "\\&" + line
             for line in text.replace("\\", "\\e").replace("-", "\\-").split("\n")]
    return ".PP\n.RS 4\n.nf\n" + "\n".join(lines) + "\n.fi\n.RE\n"


def body(text):
    parts = []
    for kind, block in blocks(text):
        if kind == "code":
            parts.append(code(block))
        elif kind == "item":
            parts.append(f".IP \\(bu 2\n{inline(block)}\n")
        else:
            parts.append(f".PP\n{inline(block)}\n")
    return "".join(parts)


def head(name, section, version):
    return f'.TH "{name}" {section} "" "heed {version}" "heed\'s manual"\n.nh\n.ad l\n'  # without hyphenation and justification


class Function:
    def __init__(self, library, header, section, function):
        self.library, self.header, self.section, self.function = library, header, section, function

    def types(self):
        """The declarations of structs, enums and function types in the prototype, except opaque ones."""
        names = re.findall(r"\bheed_\w+", self.function.prototype.replace(self.function.name + "(", "(", 1))
        for name in names:  # the loop extends the list, for example by the enum of an option
            declared = self.library.types[name].declared if name in self.library.types else ""
            names.extend(name for name in dict.fromkeys(re.findall(r"\bheed_\w+", declared)) if name not in names)
        found = [self.library.types[name] for name in dict.fromkeys(names) if name in self.library.types]
        return [item for item in found if re.search(r"\{|\(\*", item.declared) and item.name not in EVERYWHERE]

    def returns(self):
        if self.function.gives_tensor:
            return RETURNS["tensor"]
        return RETURNS["status"] if self.function.prototype.startswith("heed_status ") else ""

    def names(self):
        found = [f"Name in {project}: {', '.join(f'`{name}`' for name in names)}." for project, names in
                 (("PyTorch", self.function.torch), ("NumPy", self.function.numpy)) if names]
        return " ".join(found)

    def others(self):
        """The nearest functions of its section, in the header's order."""
        names = [item.name for item in self.section.items if item.kind == "function"]
        here = names.index(self.function.name)
        near = sorted((n for n in names if n != self.function.name), key=lambda n: abs(names.index(n) - here))[:SIBLINGS]
        return sorted(near, key=names.index)

    def page(self, version):
        f = self.function
        first, rest = split_first(f.comment)
        parts = [head(f.name, 3, version), f".SH NAME\n{escape(f.name)} \\- {escape(in_short(first or self.header.title))}\n", ".SH SYNOPSIS\n",
                 code(f"#include <heed/{self.header.name}>\n\n{f.prototype}"), ".SH DESCRIPTION\n",
                 body(f"Deprecated: {f.deprecated}.") if f.deprecated else ""]
        parts += [body(f"{first}."), body(rest)] if first else [body(self.section.text)]
        parts.append(body(self.names()))
        if self.types():
            parts.append(".SH TYPES\n" + "".join(code(item.declared) for item in self.types()))
        if self.returns():
            parts.append(f'.SH "RETURN VALUE"\n{inline(self.returns())}\n')
        if f.name in self.library.examples:
            parts.append(".SH EXAMPLE\n" + code(self.library.examples[f.name].rstrip()))
        notes = [text for text in (self.section.text if first else "", self.header.about) if text]
        if notes:
            parts.append(".SH NOTES\n" + "".join(body(text) for text in notes))
        parts.append(f".SH STABILITY\n{inline(PROMISES[self.header.stability_of(f)])}\n")
        others = ", ".join(f".BR {escape(name)} (3)" for name in self.others())
        parts.append('.SH "SEE ALSO"\n' + "".join(f"{entry} ,\n" for entry in others.split(", ") if entry) + ".BR heed (7)\n")
        return "".join(parts)


def macro_page(header, macro, version):
    """The page of a macro with a comment: its usage and the comment."""
    written = re.match(r"#define (\w+(?:\([^)]*\))?)", macro.declared)[1]
    first, rest = split_first(macro.comment)
    parts = [head(macro.name, 3, version), f".SH NAME\n{escape(macro.name)} \\- {escape(in_short(first or header.title))}\n",
             ".SH SYNOPSIS\n", code(f"#include <heed/{header.name}>\n\n{written}"), ".SH DESCRIPTION\n",
             body(f"{first}.") + body(rest) if first else body(macro.comment)]
    return "".join(parts) + '.SH "SEE ALSO"\n.BR heed (7)\n'


def topics(library):
    parts = []
    for title, headers in library.topics.items():
        parts.append(f'.SS "{title}"\n')
        for header in headers:
            about = header.title[:1].upper() + header.title[1:]
            names = ", ".join(f"\\fB{escape(f.name)}\\fP(3)" for f in header.functions)
            parts.append(f".TP\n.B <heed/{escape(header.name)}>\n{escape(about)}.\n{names}\n")
    return "".join(parts)


def environment(file):
    """The variables of environment.md; every heading is a variable."""
    parts = re.split(r"^## (\w+)\n", file.read_text(encoding="utf-8"), flags=re.M)[1:]
    return "".join(f".TP\n.B {name}\n{inline(text.strip())}\n" for name, text in zip(parts[0::2], parts[1::2]))


def build(library, folder, version):
    """Makes man1, man3 and man7 in the folder, which can be an entry of MANPATH."""
    for number in (1, 3, 7):
        (folder / f"man{number}").mkdir(parents=True, exist_ok=True)
        for old in (folder / f"man{number}").glob(f"*.{number}"):
            old.unlink()
    for header in library.headers:
        for section in header.sections:
            for item in section.items:
                page = None
                if item.kind == "function":
                    page = Function(library, header, section, item).page(version)
                elif item.kind == "macro" and item.comment:
                    page = macro_page(header, item, version)
                if page:
                    (folder / "man3" / f"{item.name}.3").write_text(page, encoding="utf-8")
    for name in ("heed.7", "heed-gradcheck.1", "heed-np.1"):
        text = (MANUAL / "pages" / name).read_text(encoding="utf-8")
        text = text.replace("@VERSION@", version).replace("@TOPICS@\n", topics(library))
        text = text.replace("@ENVIRONMENT@\n", environment(MANUAL / "pages" / "environment.md"))
        (folder / f"man{name[-1]}" / name).write_text(text, encoding="utf-8")
