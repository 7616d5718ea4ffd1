import sys

import honest

sys.exit(honest.main())
