"""Random StableHLO programs: `generate` makes one."""

import operations
import regions
import rows
from program import Program

# A name can stand for several operations.
MAKERS = (
    [(name, make) for name, make in operations.MAKERS.items()]
    + [(name, make) for name, make in regions.MAKERS.items() for _ in range(3)]
    + [(name, rows.make) for name, row in rows.ROWS.items() if rows.is_plain(row) and row.short not in operations.MAKERS]
)


def generate(seed, limit, only=()):
    """A random program."""
    p = Program(seed)
    p.makers = [(name, make) for name, make in MAKERS if not only or name in only]
    wanted = p.rng.randint(1, limit)
    for _ in range(wanted * 8):
        if len(p.operations) >= wanted:
            break
        p.try_one()
    return p


def missing():
    """Rows that nothing makes and that have no reason."""
    made = {name if "." in name else f"stablehlo.{name}" for name, _ in MAKERS}
    return sorted(set(rows.ROWS) - made - set(rows.NOT_MADE))
