"""The work is done by modules beside the entry file, a package and a single one, which read policy.json, too."""

from banking import cli

if __name__ == "__main__":
    cli.main()
