"""The public goods game that oTree serves to benchmarks/session_people.py, as the files of a project: a contribution
page per round, a waiting page for the group, and before each table a waiting page for all."""

SETTINGS = """
SESSION_CONFIGS = [dict(name="public_goods", app_sequence=["public_goods"], num_demo_participants=20)]
SESSION_CONFIG_DEFAULTS = dict(real_world_currency_per_point=0.01, participation_fee=3.00, doc="")
PARTICIPANT_FIELDS = []
SESSION_FIELDS = []
LANGUAGE_CODE = "en"
REAL_WORLD_CURRENCY_CODE = "EUR"
USE_POINTS = True
ADMIN_USERNAME = "admin"
ADMIN_PASSWORD = ""
DEMO_PAGE_INTRO_HTML = ""
SECRET_KEY = "benchmark"
"""
GAME = """
from otree.api import *

doc = "Voluntary contributions"


class C(BaseConstants):
    NAME_IN_URL = "public_goods"
    PLAYERS_PER_GROUP = {group}
    ROUNDS = {rounds}
    NUM_ROUNDS = {rounds} * {tables}
    ENDOWMENT = {endowment}
    MULTIPLIER = {multiplier}


class Subsession(BaseSubsession):
    pass


class Group(BaseGroup):
    pass


class Player(BasePlayer):
    contribution = models.IntegerField(min=0, max=C.ENDOWMENT, label="How many tokens do you contribute?")


def first(round_number):
    return (round_number - 1) % C.ROUNDS == 0


def creating_session(subsession):
    if first(subsession.round_number):
        subsession.group_randomly()
    else:
        subsession.group_like_round(subsession.round_number - 1)


def set_payoffs(group):
    players = group.get_players()
    share = C.MULTIPLIER * sum(player.contribution for player in players) / len(players)
    for player in players:
        player.payoff = C.ENDOWMENT - player.contribution + share


class Begin(WaitPage):
    wait_for_all_groups = True

    @staticmethod
    def is_displayed(player):
        return first(player.round_number)


class Contribute(Page):
    form_model = "player"
    form_fields = ["contribution"]
    timeout_seconds = {stage_s}

    @staticmethod
    def vars_for_template(player):
        if first(player.round_number):
            return dict(last=[])
        before = player.in_round(player.round_number - 1).group.get_players()
        return dict(last=[dict(id=p.id_in_group, contribution=p.contribution, payoff=p.payoff) for p in before])


class Rest(WaitPage):
    after_all_players_arrive = set_payoffs


class Results(Page):
    @staticmethod
    def is_displayed(player):
        return player.round_number == C.NUM_ROUNDS


page_sequence = [Begin, Contribute, Rest, Results]
"""
PAGES = 4
"""The pages of a round."""
CONTRIBUTE = """
{{ block title }}Round {{ player.round_number }}{{ endblock }}
{{ block content }}
<p>You are in a group of {{ C.PLAYERS_PER_GROUP }}. In each of {{ C.ROUNDS }} rounds everybody receives
{{ C.ENDOWMENT }} tokens and may contribute any number of them to a fund. The fund is multiplied by {{ C.MULTIPLIER }}
and shared out equally among all, whoever contributed.</p>
{{ if last }}
<table class="table">
<tr><th>Player</th><th>Contribution</th><th>Income</th></tr>
{{ for row in last }}<tr><td>{{ row.id }}</td><td>{{ row.contribution }}</td><td>{{ row.payoff }}</td></tr>{{ endfor }}
</table>
{{ endif }}
{{ formfields }}
{{ next_button }}
{{ endblock }}
"""
RESULTS = """
{{ block title }}Results{{ endblock }}
{{ block content }}<p>You earned {{ participant.payoff }}.</p>{{ next_button }}{{ endblock }}
"""
