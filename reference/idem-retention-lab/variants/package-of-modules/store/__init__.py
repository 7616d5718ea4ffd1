from .keys import fetch, finish, reserve
from .retention import expired, purge
from .schema import init_db

__all__ = ["init_db", "reserve", "finish", "fetch", "expired", "purge"]
