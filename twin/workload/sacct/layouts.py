"""Which columns a sacct export has: by its header, by a layout that sites use without one, or as declared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from twin.workload.states import ATTEMPT, PENDING, WORDS
from twin.workload.table import split_line


def words(text: str) -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split())


NAMES = frozenset(
    words(
        """
        account admincomment alloccpus allocgres allocnodes alloctres associd avecpu avecpufreq
        avediskread avediskwrite avepages averss avevmsize blockid cluster comment constraints
        container consumedenergy consumedenergyraw cputime cputimeraw dbindex derivedexitcode
        elapsed elapsedraw eligible end exitcode extra failednode flags gid group jobid jobidraw
        jobname layout licenses maxdiskread maxdiskreadnode maxdiskreadtask maxdiskwrite
        maxdiskwritenode maxdiskwritetask maxpages maxpagesnode maxpagestask maxrss maxrssnode
        maxrsstask maxvmsize maxvmsizenode maxvmsizetask mcslabel mincpu mincpunode mincputask ncpus
        nnodes nodelist ntasks partition planned plannedcpu plannedcpuraw priority qos qosraw qosreq
        reason reqcpufreq reqcpufreqgov reqcpufreqmax reqcpufreqmin reqcpus reqgres reqmem reqnodes
        reqtres reservation reservationid reserved restarts resvcpu resvcpuraw sluid start state
        stdin stdout stderr submit submitline suspended systemcomment systemcpu timelimit
        timelimitraw totalcpu tresusageinave tresusageinmax tresusageinmaxnode tresusageinmaxtask
        tresusageinmin tresusageinminnode tresusageinmintask tresusageintot tresusageoutave
        tresusageoutmax tresusageoutmaxnode tresusageoutmaxtask tresusageoutmin tresusageoutminnode
        tresusageoutmintask tresusageouttot uid user usercpu wckey wckeyid workdir
        """
    )
)
DISTINCTIVE = {"alloctres", "reqtres", "jobidraw", "allocgres", "reqgres", "timelimitraw", "elapsedraw"}
FREE_TEXT = (
    "jobname", "submitline", "comment", "admincomment", "systemcomment", "workdir", "extra", "container",
)  # fmt: skip
"""Columns that may hold the delimiter itself."""

XDMOD = words(
    """
    jobid jobidraw cluster partition qos account group gid user uid submit eligible start end elapsed
    exitcode state nnodes ncpus reqcpus reqmem reqtres alloctres timelimit nodelist jobname
    """
)
"""What Open XDMoD's shredder asks of sacct, without a header."""
SONAR = words(
    """
    jobid jobidraw user account state start end avecpu avediskread avediskwrite averss avevmsize
    elapsedraw exitcode layout maxrss maxvmsize mincpu reqcpus reqmem reqnodes reservation submit
    suspended systemcpu timelimitraw usercpu nodelist partition alloctres priority jobname
    """
)
"""What NordicHPC's sonar asks of sacct, without a header."""
HEADERLESS = {"xdmod": XDMOD, "sonar": SONAR}
DELIMITERS = ("^|^", "|", ",", ";", "\t")

TIME = r"(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([+-]\d{2}:?\d{2}|Z)?|\d{9,10}(\.\d+)?|Unknown|None|N/A|)"
LENGTH = r"((\d+-)?(\d+:)?\d+:\d+(\.\d+)?|)"
COUNT = r"\d*"
TRES = r"([a-z]+[a-z/:_0-9.]*=[^|]*|)"
_STATE_WORDS = {word.upper() for words in (*WORDS.values(), PENDING, ATTEMPT) for word in words}
SHAPES = {
    "submit": TIME, "eligible": TIME, "start": TIME, "end": TIME,
    "suspended": LENGTH, "systemcpu": LENGTH, "usercpu": LENGTH, "cputime": LENGTH, "cputimeraw": COUNT,
    "wckeyid": COUNT, "associd": COUNT, "priority": COUNT, "restarts": COUNT, "ntasks": COUNT,
    "reqnodes": r"\d*[KM]?", "timelimit": r"([\d:-]+|[A-Za-z_]*)", "tresusageinave": TRES,
    "tresusageintot": TRES,
    "elapsed": LENGTH, "elapsedraw": COUNT, "totalcpu": LENGTH,
    "timelimitraw": r"(\d+|UNLIMITED|Partition_Limit|)",
    "nnodes": COUNT, "ncpus": COUNT, "reqcpus": COUNT, "alloccpus": COUNT, "uid": COUNT, "gid": COUNT,
    "jobid": r"\d+([_+.].*)?", "jobidraw": r"\d+(\..*)?", "exitcode": r"(\d+:\d+|)",
    "alloctres": TRES, "reqtres": TRES,
}  # fmt: skip
_COMPILED = {name: re.compile(shape) for name, shape in SHAPES.items()}


def plausible(names: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether every field whose shape is known has it."""
    for name, text in zip(names, fields, strict=True):
        if name in _COMPILED and not _COMPILED[name].fullmatch(text.strip()):
            return False
        if (
            name == "state"
            and text.strip()
            and text.split()[0].rstrip("+") not in _STATE_WORDS
            and not text.isupper()
        ):
            return False
    return True


def header_of(line: str) -> tuple[tuple[str, ...], str] | None:
    """The column names in small letters and the delimiter, if the line is a sacct header."""
    for delimiter in DELIMITERS:
        if delimiter not in line:
            continue
        names = tuple(name.strip().lower() for name in split_line(line, delimiter))
        trimmed = names[:-1] if names and names[-1] == "" else names
        known = sum(name in NAMES for name in trimmed)
        sacct = {"jobid", "jobidraw"} & set(trimmed) or (
            delimiter == "|" and {"start", "end"} <= set(trimmed)
        )
        if sacct and known >= 3 and known > 0.7 * len(trimmed):
            return names, delimiter
    return None


def headerless_layout(sample: Sequence[str]) -> str | None:
    """The name of the known layout without a header that the lines fit, all but a few; None = neither, or
    both."""
    rows = [line.split("|") for line in sample[:100]]
    fits = [
        name
        for name, names in HEADERLESS.items()
        if rows and sum(len(row) == len(names) and plausible(names, row) for row in rows) >= 0.8 * len(rows)
    ]
    return fits[0] if len(fits) == 1 else None
