"""Lies beside the entry file, and goes before the library's. It does what the library does."""

import importlib.util
import os
import sysconfig

place = os.path.join(sysconfig.get_path("stdlib"), "json", "__init__.py")
spec = importlib.util.spec_from_file_location("library_json", place, submodule_search_locations=[os.path.dirname(place)])
library = importlib.util.module_from_spec(spec)
__import__("sys").modules["library_json"] = library
spec.loader.exec_module(library)
dumps, loads = library.dumps, library.loads
