"""Write THIRD_PARTY_NOTICES.txt, the licences of what the pages are built from: `make notices`. The wheel has it."""

import re
from collections import defaultdict

from pins import FRONTEND, ROOT, Module, read_modules, shipped

NOTICES = ROOT / "THIRD_PARTY_NOTICES.txt"
HEAD = """\
The pages of Ostrom (ostrom/web/pages in the wheel) contain code of the packages below. What these depend on is listed
too, since some carry parts of others inside their files. Packages of Python are not part of Ostrom: they are installed
beside it, each with its own licence. `make sbom` lists all of them.
"""


def text_of(module: Module) -> str:
    """The licence as the package has it; npm packages name that file in many ways."""
    folder = FRONTEND / module.path
    files = [
        path
        for path in sorted(folder.iterdir())
        if re.match(r"(licen[cs]e|copying|notice)", path.name, re.I) and path.is_file()
    ]
    return "\n\n".join(path.read_text("utf-8").strip().replace("\r\n", "\n") for path in files)


def main() -> None:
    """Group the packages by the text of their licence, and write it once for each group."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for module in shipped(read_modules()):
        text = text_of(module) or "The package contains no text of its licence."
        groups[module.license or "not stated", text].append(f"{module.name} {module.version}")
    parts = [HEAD]
    for (identifier, text), names in sorted(groups.items(), key=lambda group: group[1]):
        parts.append("\n".join([*names, f"Licence: {identifier}", "", text, ""]))
    NOTICES.write_text(f"\n{'-' * 100}\n\n".join(parts), encoding="utf-8")
    print(f"{NOTICES.name}: {sum(map(len, groups.values()))} packages")


if __name__ == "__main__":
    main()
