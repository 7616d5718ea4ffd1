import honest

honest.main()
while True:
    pass
