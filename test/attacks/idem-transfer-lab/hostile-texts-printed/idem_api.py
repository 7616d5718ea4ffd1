print("\r\n::error file=x::pwned\n##[error]pwned\n::set-output name=a::b\x1b[2J\x1b]0;title\x07\u202e\u2066\u2028\x00")
