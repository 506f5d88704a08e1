"""A provider of models for tests. It is an OpenAI-compatible HTTP server on the loopback interface, with configurable
delays and faults. In a test::

    with Provider(delay=0.2, faults={"429": 0.05, "half_json": 0.05}, seed=7) as provider:
        ...  # a client at provider.base_url
        assert provider.account()["faults"]["429"] > 0

As a command: `python -m ostrom.testing.provider --help`."""

from ostrom.testing.provider.caching import CacheRules
from ostrom.testing.provider.catalogue import CATALOGUE, ENDLESS, OVERCHARGING
from ostrom.testing.provider.delivery import Scenario
from ostrom.testing.provider.faults import FAULTS, FINAL, HARMLESS, FaultPlan, ProviderSettings, every_fault
from ostrom.testing.provider.service import Provider, serving

__all__ = [
    "CATALOGUE",
    "ENDLESS",
    "FAULTS",
    "FINAL",
    "HARMLESS",
    "OVERCHARGING",
    "CacheRules",
    "FaultPlan",
    "Provider",
    "ProviderSettings",
    "Scenario",
    "every_fault",
    "serving",
]
