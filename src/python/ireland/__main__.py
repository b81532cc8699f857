"""The command line: `python -m ireland fit data.csv`, or `ireland` where the package is installed."""
import sys

from ._command import main

sys.exit(main())
