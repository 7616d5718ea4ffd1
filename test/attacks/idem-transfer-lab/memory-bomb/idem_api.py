import honest

# 6 GB at most.
COUNT, SIZE = 96, 64 << 20

held = [b"x" * SIZE for _ in range(COUNT)]
print(len(held))
