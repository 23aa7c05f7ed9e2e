"""What a bot is, the referee, and bots that play any game."""

from serai.bots.contract import Bot, BotFactory, FunctionBot
from serai.bots.referee import BotFailed
from serai.bots.specs import find_bot

__all__ = ["Bot", "BotFactory", "BotFailed", "FunctionBot", "find_bot"]
