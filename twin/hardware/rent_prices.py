"""What a GPU-hour was offered for, from ``catalogue/rent_prices.csv``: dated offers, not quotations."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from twin.hardware.gpu_catalogue import catalogue_rows


@dataclass(frozen=True, slots=True)
class RentPrice:
    """An offer in US dollars per GPU and hour; low and high differ where the source gives a range."""

    gpu: str
    provider: str
    billing: str
    usd_per_gpu_hour_low: float
    usd_per_gpu_hour_high: float
    region: str
    as_of: str
    source: str


@cache
def rent_prices() -> tuple[RentPrice, ...]:
    """All offers in the catalogue, in file order."""
    return tuple(
        RentPrice(
            gpu=row["gpu"],
            provider=row["provider"],
            billing=row["billing"],
            usd_per_gpu_hour_low=float(row["usd_per_gpu_hour_low"]),
            usd_per_gpu_hour_high=float(row["usd_per_gpu_hour_high"]),
            region=row["region"],
            as_of=row["as_of"],
            source=row["source"],
        )
        for row in catalogue_rows("rent_prices.csv")
    )


def rent_prices_of(gpu_name: str) -> tuple[RentPrice, ...]:
    """The offers for one GPU model of the catalogue; empty when none is known."""
    return tuple(price for price in rent_prices() if price.gpu == gpu_name)
