"""Who uses the hardware and who pays: user, team, cost centre, each link with its dates.

Users are the names that traces carry, not accounts of this product.
"""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from fleet.accounts.scoping import WorkspaceModel


class CostCentre(WorkspaceModel):
    code = models.CharField(max_length=40)
    name = models.CharField(max_length=100, blank=True, default="")

    class Meta(WorkspaceModel.Meta):
        ordering = ["code"]
        verbose_name = "cost centre"
        constraints = [models.UniqueConstraint(fields=["workspace", "code"], name="cost_centre_code_once")]

    def __str__(self) -> str:
        return self.code


class Team(WorkspaceModel):
    """A group of users; ``name`` is the group or account that traces carry."""

    name = models.CharField(max_length=100)

    class Meta(WorkspaceModel.Meta):
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["workspace", "name"], name="team_name_once")]

    def __str__(self) -> str:
        return self.name


class TeamCostCentre(models.Model):
    """The cost centre that pays for a team from a day on, until the team's next row."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="cost_centres")
    cost_centre = models.ForeignKey(CostCentre, on_delete=models.PROTECT, related_name="teams")
    from_date = models.DateField()

    class Meta:
        ordering = ["from_date"]
        constraints = [models.UniqueConstraint(fields=["team", "from_date"], name="team_pays_once_a_day")]

    def __str__(self) -> str:
        return f"{self.team} on {self.cost_centre} from {self.from_date}"


class TeamMember(models.Model):
    """A user in a team from a day on, to the end of ``until_date`` where given."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    user_name = models.CharField(max_length=100)
    from_date = models.DateField()
    until_date = models.DateField(null=True, blank=True)

    class Meta:
        ordering = ["user_name", "from_date"]
        constraints = [
            models.UniqueConstraint(fields=["team", "user_name", "from_date"], name="member_once_a_day"),
            models.CheckConstraint(
                condition=Q(until_date__isnull=True) | Q(until_date__gte=F("from_date")),
                name="member_leaves_after_coming",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_name} in {self.team} from {self.from_date}"
