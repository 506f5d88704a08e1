"""The briefing of bargaining. Only the text of the rules is its own; the questions are those of the double auction."""

from ostrom.games.market.double_auction.briefing import DoubleAuctionBriefing


class BargainingBriefing(DoubleAuctionBriefing):
    """The briefing of bargaining."""

    folder = "bargaining"
