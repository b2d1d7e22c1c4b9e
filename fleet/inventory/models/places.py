"""Where hardware stands: site, hall, row, rack, each with the power and cooling it can carry."""

from __future__ import annotations

from django.core.validators import MinValueValidator
from django.db import models

from fleet.accounts.scoping import WorkspaceModel


def _limit(name: str) -> models.FloatField:
    return models.FloatField(name, null=True, blank=True, validators=[MinValueValidator(0)])


class Site(WorkspaceModel):
    """A data centre or a cloud region. Limits are None where not known."""

    name = models.CharField(max_length=100)
    location = models.CharField(max_length=100, blank=True, default="")
    power_kw = _limit("power limit, kW")
    cooling_kw = _limit("cooling limit, kW")

    class Meta(WorkspaceModel.Meta):
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="site_name_once")]

    def __str__(self) -> str:
        return self.name


class Hall(models.Model):
    site = models.ForeignKey(Site, on_delete=models.CASCADE, related_name="halls")
    name = models.CharField(max_length=100)
    power_kw = _limit("power limit, kW")
    cooling_kw = _limit("cooling limit, kW")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["site", "name"], name="hall_name_once")]

    def __str__(self) -> str:
        return f"{self.site} / {self.name}"


class Row(models.Model):
    hall = models.ForeignKey(Hall, on_delete=models.CASCADE, related_name="rows")
    name = models.CharField(max_length=100)
    power_kw = _limit("power limit, kW")
    cooling_kw = _limit("cooling limit, kW")

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["hall", "name"], name="row_name_once")]

    def __str__(self) -> str:
        return f"{self.hall} / {self.name}"


class Rack(models.Model):
    row = models.ForeignKey(Row, on_delete=models.CASCADE, related_name="racks")
    name = models.CharField(max_length=100)
    power_kw = _limit("power limit, kW")
    cooling_kw = _limit("cooling limit, kW")
    units = models.PositiveSmallIntegerField("height, rack units", null=True, blank=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["row", "name"], name="rack_name_once")]

    def __str__(self) -> str:
        return f"{self.row} / {self.name}"
