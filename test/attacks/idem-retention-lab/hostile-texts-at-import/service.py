HOSTILE = "\r\n::error file=x::pwned\n##[error]pwned\x1b[2J\u202e\x00"
raise SyntaxError(HOSTILE, (HOSTILE + "/" + HOSTILE, 1, 1, HOSTILE))
