import sqlite3
from pathlib import Path


def connect(path):
    return sqlite3.connect(Path(path), isolation_level=None)


def init_db(path):
    connect(path).executescript(Path(__file__).with_name("schema.sql").read_text())
