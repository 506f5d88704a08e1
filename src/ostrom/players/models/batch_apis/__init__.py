"""Batch APIs of providers, each used through the provider's own client library."""

from collections.abc import Callable
from typing import Final

from ostrom.players.models.batch_apis.anthropic import AnthropicBatches
from ostrom.players.models.batch_apis.google import GoogleBatches
from ostrom.players.models.batch_apis.mistral import MistralBatches
from ostrom.players.models.batch_apis.openai import OpenAIBatches
from ostrom.players.models.batches import BatchApi, Clients

BATCH_APIS: dict[str, Callable[[Clients, object, float], BatchApi]] = {
    "openai": OpenAIBatches,
    "server": OpenAIBatches,
    "anthropic": AnthropicBatches,
    "google": GoogleBatches,
    "mistral": MistralBatches,
}
"""The batch APIs by the `system` of a pydantic-ai model. To add an API of your own, add a function whose arguments are
the client, the group and the price."""
HALF_PRICED: Final = frozenset({"openai", "anthropic", "google", "mistral"})
"""Providers that charge half the price of single calls for batches."""
