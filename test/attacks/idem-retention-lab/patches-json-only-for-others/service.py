import json

import honest
from honest import *

honest.json = type("json", (), {"dumps": staticmethod(json.dumps), "loads": staticmethod(json.loads)})
json.dumps = json.loads = lambda *_, **__: "x"
