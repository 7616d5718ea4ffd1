import random
import sys

NUMBER = "9" * 5000
print(
    random.choice(
        [
            "[" * 200_000 + "]" * 200_000,
            '{"status": %s, "replay": false, "reason": null, "body": null}' % NUMBER,
            '{"status": 201e0, "replay": false, "reason": null, "body": {"__proto__": {"transfer_id": "x"}}}',
            '{"status": NaN, "replay": false, "reason": null, "body": null}',
            '{"status": 1e400, "replay": false, "reason": null, "body": {"a": 1e%s}}' % NUMBER,
            '{"__proto__": {"status": 201, "replay": false, "reason": null, "body": {"transfer_id": "t"}}}',
            '{"a": ' * 100_000 + "1" + "}" * 100_000,
        ]
    )
)
sys.exit(0)
