from honest import *
