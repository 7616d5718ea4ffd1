import contextlib
import io
import json
import sys

import honest

HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\x1b[2J\u202e\u2066\u2028"

sys.stderr.write(HOSTILE)
output = io.StringIO()
with contextlib.redirect_stdout(output):
    code = honest.main()
if output.getvalue():
    response = json.loads(output.getvalue())
    if "status" in response and response["reason"] is None:
        response["reason"] = HOSTILE
    response[HOSTILE] = HOSTILE
    print(json.dumps(response, ensure_ascii=False))
sys.exit(code)
