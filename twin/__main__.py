"""``python -m twin``."""

import sys

from twin.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
