"""Random StableHLO programs: `generate` makes one."""

import computed
import operations
import pixels
import quantized
import regions
import rows
from program import Program, Rejected
from unknown import open_sizes

TABLES = operations, computed, quantized, pixels
CHOSEN = {name for module in TABLES for name in module.MAKERS}
# A name can stand for several operations.
MAKERS = (
    [(name, make) for module in TABLES for name, make in module.MAKERS.items()]
    + [(name, make) for name, make in regions.MAKERS.items() for _ in range(3)]
    + [(name, rows.make) for name, row in rows.ROWS.items() if rows.is_plain(row) and row.short not in CHOSEN]
)
# Those that choose their attributes: some programs have one of them alone, so that more of its cases are tried.
NAMES = sorted({name for module in TABLES for name in module.MAKERS})
ALONE = 0.3


def generate(seed, limit, only=(), long=0, unknown=0, often=()):
    """A random program, in such shares of all with long dimensions, and with some that are known only at run time. Half
    of its operations are those of *often*, if there are any."""
    p = Program(seed, long)
    if not only and not often and p.rng.random() < ALONE:
        # Each of them once before any comes again.
        only = [NAMES[seed % len(NAMES)]]
    p.makers = [(name, make) for name, make in MAKERS if not only or name in only]
    often = [(name, make) for name, make in p.makers if name in often]
    p.makers += often * (len(p.makers) // max(len(often), 1))
    wanted = p.rng.randint(1, limit)
    for _ in range(wanted * 8):
        if len(p.operations) >= wanted:
            break
        p.try_one()
    if p.rng.random() < unknown:
        try:
            open_sizes(p)
        except Rejected:
            for value in p.values:
                value.unknown = set()
    return p


def missing():
    """Rows that nothing makes and that have no reason."""
    made = {name if "." in name else f"stablehlo.{name}" for name, _ in MAKERS}
    return sorted(set(rows.ROWS) - made - set(rows.NOT_MADE))
