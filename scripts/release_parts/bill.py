"""bill.py - the bill of materials of a release: SPDX 2.3 as JSON (https://spdx.github.io/spdx-spec/v2.3)."""

# SPDX-FileCopyrightText: 2026 heed contributors
# SPDX-License-Identifier: MIT

import datetime
import json
import re
import uuid

from dependencies import DEPENDENCIES

DEVELOPERS = "Organization: heed developers"
COMPANIONS = ("libheed-images", "libheed-mpi", "libheed-onnx", "libheed-tensorboard")
# The parts of a release, and the kinds of the files.
PARTS = {"heed": "SOURCE", "heed-one-file": "SOURCE", "heed-python": "SOURCE", "heed-r": "SOURCE", "libheed": "LIBRARY",
         **dict.fromkeys(COMPANIONS, "LIBRARY")}
BETWEEN_PARTS = [
    *((part, "GENERATED_FROM", "heed") for part in PARTS if part != "heed"),
    ("heed-python", "CONTAINS", "heed-one-file"),
    ("heed-r", "CONTAINS", "heed-one-file"),
    *((part, "DEPENDS_ON", "libheed") for part in COMPANIONS),
]
PUBLIC_DOMAIN = {"licenseId": "LicenseRef-public-domain", "name": "Public domain",
                 "extractedText": "The copyright of this work has expired, or its authors dedicated it to the public domain."}


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]+", "-", name)


def contained(part):
    """The works inside a part, and inside the parts that it contains."""
    users = {part} | {inner for outer, relation, inner in BETWEEN_PARTS if outer == part and relation == "CONTAINS"}
    return [row for row in DEPENDENCIES if users & set(row.inside)]


def licence_of(part):
    """The licence of a part with all that it contains."""
    licences = dict.fromkeys(["MIT", *(row.licence for row in contained(part))])
    return " AND ".join(f"({licence})" if " OR " in licence else licence for licence in licences)


def part_package(part, version, copyright_text, archive):
    """archive: the file's name and its SHA-256, or None for a library that users build."""
    package = {"name": part, "SPDXID": identifier(part), "versionInfo": version, "supplier": DEVELOPERS,
               "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": licence_of(part), "licenseDeclared": "MIT",
               "copyrightText": copyright_text, "primaryPackagePurpose": PARTS[part]}
    if archive:
        package["packageFileName"] = archive[0]
        package["checksums"] = [{"algorithm": "SHA256", "checksumValue": archive[1]}]
    return package


def dependency_package(row, version):
    package = {"name": row.name, "SPDXID": identifier(row.name), "supplier": "NOASSERTION", "downloadLocation": row.source,
               "filesAnalyzed": False, "licenseConcluded": row.licence, "licenseDeclared": row.licence, "copyrightText": row.copyright}
    if version:
        package["versionInfo"] = version
    if row.needed_by or row.optional_for:
        package["comment"] = "Not part of the release. versionInfo is the version that the release was made with."
    return package


def relations(row):
    for part in row.inside:
        yield part, "CONTAINS", row.name
    for part in row.needed_by:
        yield part, "DEPENDS_ON", row.name
    for users, kind in ((row.optional_for, "OPTIONAL_DEPENDENCY_OF"), (row.builds, "BUILD_DEPENDENCY_OF"), (row.tests, "TEST_DEPENDENCY_OF")):
        for part in users:
            yield row.name, kind, part


def document(version, commit, when, copyright_text, archives, versions):
    """The bill as a dict. when: seconds since 1970; archives: part -> (file, SHA-256); versions: dependency -> version."""
    links = [("DOCUMENT", "DESCRIBES", part) for part in PARTS] + BETWEEN_PARTS
    links += [link for row in DEPENDENCIES for link in relations(row)]
    created = datetime.datetime.fromtimestamp(when, datetime.timezone.utc)
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"heed-{version}",
        "documentNamespace": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'heed {version} {commit}')}",
        "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": [DEVELOPERS, f"Tool: heed-scripts-release-{version}"]},
        "hasExtractedLicensingInfos": [PUBLIC_DOMAIN],
        "packages": [part_package(part, version, copyright_text, archives.get(part)) for part in PARTS]
        + [dependency_package(row, versions[row.name]) for row in DEPENDENCIES],
        "relationships": [{"spdxElementId": identifier(one), "relationshipType": kind, "relatedSpdxElement": identifier(other)}
                          for one, kind, other in links],
    }


def write(path, bill):
    path.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
