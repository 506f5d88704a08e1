"""Rating methods, one module each. A module in this folder registers its method with `RATING_METHODS.add`. The
commands, the library, the pages and their help texts then list the method. A plugin file registers a method in the same
way."""

import importlib
import pkgutil

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
