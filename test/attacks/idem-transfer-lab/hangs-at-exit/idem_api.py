import atexit

import honest


def hang():
    while True:
        pass


atexit.register(hang)
honest.main()
