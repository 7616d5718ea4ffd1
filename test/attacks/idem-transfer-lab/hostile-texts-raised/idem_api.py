HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\x1b[2J\u202e\u2066\u2028\x00"
raise type(HOSTILE.replace("\0", ""), (Exception,), {})(HOSTILE)
