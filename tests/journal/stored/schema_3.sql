BEGIN TRANSACTION;
CREATE TABLE answers (
	game INTEGER NOT NULL,
	number INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	phase TEXT NOT NULL,
	seat INTEGER NOT NULL,
	value TEXT NOT NULL,
	provenance TEXT NOT NULL,
	cut INTEGER DEFAULT '0' NOT NULL,
	fault TEXT,
	PRIMARY KEY (game, number),
	UNIQUE (game, turn, phase, seat),
	FOREIGN KEY(game) REFERENCES games (serial)
);
INSERT INTO "answers" VALUES(1,0,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,1,1,'message',1,'"I give what you give: the same part of what I have."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,2,1,'message',0,'"I''ll contribute all 20."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,4,1,'contribution',1,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,6,1,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,9,2,'message',1,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,10,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,11,2,'message',0,'"I''ll contribute all 21."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,12,2,'contribution',0,'21','answered',0,NULL);
INSERT INTO "answers" VALUES(1,13,2,'contribution',1,'10','answered',0,NULL);
INSERT INTO "answers" VALUES(1,14,2,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,15,2,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,16,2,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,17,2,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,0,1,'message',2,'"I give what you give: the same part of what I have."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,1,1,'message',1,'"I''ll contribute all 20."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,2,1,'message',0,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,3,1,'contribution',0,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(2,4,1,'contribution',1,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,5,1,'contribution',2,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,6,1,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,9,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,10,2,'message',0,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,11,2,'message',1,'"I''ll contribute all 21."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,12,2,'contribution',0,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(2,13,2,'contribution',1,'21','answered',0,NULL);
INSERT INTO "answers" VALUES(2,14,2,'contribution',2,'10','answered',0,NULL);
INSERT INTO "answers" VALUES(2,15,2,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,16,2,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,17,2,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,0,1,'move',0,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,1,1,'move',1,'{"contribution":0.5788600879546366,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,2,1,'move',2,'{"contribution":0.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,3,2,'move',0,'{"contribution":0.2894300439773183,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,4,2,'move',1,'{"contribution":0.7515042107347155,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,5,2,'move',2,'{"contribution":0.0,"lobby":7.368290131931956,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,6,3,'move',0,'{"contribution":0.37575210536735776,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,7,3,'move',1,'{"contribution":0.7924900123140428,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,8,3,'move',2,'{"contribution":0.0,"lobby":13.584286724194364,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,0,1,'move',0,'{"contribution":0.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,1,1,'move',1,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,2,1,'move',2,'{"contribution":0.5715957635603045,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,3,2,'move',0,'{"contribution":0.0,"lobby":7.357393645340458,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,4,2,'move',1,'{"contribution":0.28579788178015225,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,5,2,'move',2,'{"contribution":0.0014835434832631833,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,6,3,'move',0,'{"contribution":0.0,"lobby":12.42678702856653,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,7,3,'move',1,'{"contribution":0.0007417717416315917,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,8,3,'move',2,'{"contribution":0.2853741943790463,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,0,1,'message',2,'"all in with $20"','imported',0,NULL);
INSERT INTO "answers" VALUES(5,1,1,'message',0,'""','imported',0,NULL);
INSERT INTO "answers" VALUES(5,2,1,'message',1,'"all in with $20"','imported',0,NULL);
INSERT INTO "answers" VALUES(5,3,1,'contribution',0,'5','repaired',0,NULL);
INSERT INTO "answers" VALUES(5,4,1,'contribution',1,'3','repaired',0,NULL);
INSERT INTO "answers" VALUES(5,5,1,'contribution',2,'0','repaired',0,NULL);
INSERT INTO "answers" VALUES(5,6,1,'punishment',0,'{"target":1,"spend":4}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,7,1,'punishment',1,'{"target":null,"spend":0}','defaulted',0,NULL);
INSERT INTO "answers" VALUES(5,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,0,1,'message',2,'"all in with $20"','defaulted',0,NULL);
INSERT INTO "answers" VALUES(6,1,1,'message',0,'""','repaired',0,NULL);
INSERT INTO "answers" VALUES(6,2,1,'message',1,'"all in with $20"','answered',0,NULL);
INSERT INTO "answers" VALUES(6,3,1,'contribution',0,'5','answered',0,NULL);
INSERT INTO "answers" VALUES(6,4,1,'contribution',1,'3','answered',0,NULL);
INSERT INTO "answers" VALUES(6,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(6,6,1,'punishment',0,'{"target":1,"spend":4}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,0,1,'message',2,'"all in with $20"','defaulted',0,NULL);
INSERT INTO "answers" VALUES(7,1,1,'message',0,'""','repaired',0,NULL);
INSERT INTO "answers" VALUES(7,2,1,'message',1,'"all in with $20"','answered',0,NULL);
INSERT INTO "answers" VALUES(7,3,1,'contribution',0,'5','answered',0,NULL);
INSERT INTO "answers" VALUES(7,4,1,'contribution',1,'3','answered',0,NULL);
INSERT INTO "answers" VALUES(7,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(7,6,1,'punishment',0,'{"target":1,"spend":4}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(8,0,1,'message',2,'"all in with $20"','defaulted',0,NULL);
INSERT INTO "answers" VALUES(8,1,1,'message',0,'""','repaired',0,NULL);
INSERT INTO "answers" VALUES(8,2,1,'message',1,'"all in with $20"','answered',0,NULL);
INSERT INTO "answers" VALUES(8,3,1,'contribution',0,'5','answered',0,NULL);
INSERT INTO "answers" VALUES(8,4,1,'contribution',1,'3','answered',0,NULL);
CREATE TABLE calls (
	game INTEGER NOT NULL,
	place INTEGER NOT NULL,
	attempt INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	phase TEXT NOT NULL,
	seat INTEGER NOT NULL,
	at TEXT NOT NULL,
	model TEXT NOT NULL,
	fault TEXT,
	input_tokens BIGINT,
	output_tokens BIGINT,
	latency FLOAT NOT NULL,
	cost FLOAT,
	reserved FLOAT NOT NULL,
	settings TEXT NOT NULL,
	prompt TEXT NOT NULL,
	finish_reason TEXT,
	error TEXT,
	extra TEXT NOT NULL,
	reply TEXT,
	PRIMARY KEY (game, place, attempt),
	FOREIGN KEY(game) REFERENCES games (serial)
);
CREATE TABLE events (
	game INTEGER NOT NULL,
	number INTEGER NOT NULL,
	tag TEXT NOT NULL,
	version INTEGER NOT NULL,
	payload TEXT NOT NULL,
	PRIMARY KEY (game, number),
	FOREIGN KEY(game) REFERENCES games (serial)
);
INSERT INTO "events" VALUES(1,0,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(1,1,'message_said',1,'{"round":1,"seat":1,"text":"I give what you give: the same part of what I have."}');
INSERT INTO "events" VALUES(1,2,'message_said',1,'{"round":1,"seat":0,"text":"I''ll contribute all 20."}');
INSERT INTO "events" VALUES(1,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,20,0]}');
INSERT INTO "events" VALUES(1,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":40,"grown":64,"share":21,"carry_out":1,"balances":[21,21,41]}');
INSERT INTO "events" VALUES(1,5,'round_ended',1,'{"round":1,"balances":[21,21,41],"carry":1}');
INSERT INTO "events" VALUES(1,6,'message_said',1,'{"round":2,"seat":1,"text":""}');
INSERT INTO "events" VALUES(1,7,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(1,8,'message_said',1,'{"round":2,"seat":0,"text":"I''ll contribute all 21."}');
INSERT INTO "events" VALUES(1,9,'contributed',1,'{"round":2,"start":[21,21,41],"contributions":[21,10,0]}');
INSERT INTO "events" VALUES(1,10,'fund_shared',1,'{"round":2,"carry_in":1,"pot":32,"grown":51,"share":17,"carry_out":0,"balances":[17,28,58]}');
INSERT INTO "events" VALUES(1,11,'round_ended',1,'{"round":2,"balances":[17,28,58],"carry":0}');
INSERT INTO "events" VALUES(1,12,'game_ended',1,'{"round":2,"balances":[17,28,58],"winners":[2]}');
INSERT INTO "events" VALUES(2,0,'message_said',1,'{"round":1,"seat":2,"text":"I give what you give: the same part of what I have."}');
INSERT INTO "events" VALUES(2,1,'message_said',1,'{"round":1,"seat":1,"text":"I''ll contribute all 20."}');
INSERT INTO "events" VALUES(2,2,'message_said',1,'{"round":1,"seat":0,"text":""}');
INSERT INTO "events" VALUES(2,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[0,20,20]}');
INSERT INTO "events" VALUES(2,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":40,"grown":64,"share":21,"carry_out":1,"balances":[41,21,21]}');
INSERT INTO "events" VALUES(2,5,'round_ended',1,'{"round":1,"balances":[41,21,21],"carry":1}');
INSERT INTO "events" VALUES(2,6,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,7,'message_said',1,'{"round":2,"seat":0,"text":""}');
INSERT INTO "events" VALUES(2,8,'message_said',1,'{"round":2,"seat":1,"text":"I''ll contribute all 21."}');
INSERT INTO "events" VALUES(2,9,'contributed',1,'{"round":2,"start":[41,21,21],"contributions":[0,21,10]}');
INSERT INTO "events" VALUES(2,10,'fund_shared',1,'{"round":2,"carry_in":1,"pot":32,"grown":51,"share":17,"carry_out":0,"balances":[58,17,28]}');
INSERT INTO "events" VALUES(2,11,'round_ended',1,'{"round":2,"balances":[58,17,28],"carry":0}');
INSERT INTO "events" VALUES(2,12,'game_ended',1,'{"round":2,"balances":[58,17,28],"winners":[0]}');
INSERT INTO "events" VALUES(3,0,'turn_played',1,'{"turn":1,"present":[true,true,true],"contributions":[1.0,0.5788600879546366,0.0],"lobby":[0.0,0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":157.88600879546365,"shares":[137.3658026386391,99.4632105545564,47.3658026386391],"erosion":1.0,"gains":[137.3658026386391,141.57720175909273,147.3658026386391],"capitals":[137.3658026386391,141.57720175909273,147.3658026386391],"cooperation":0.526286696,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,1,'turn_played',1,'{"turn":2,"present":[true,true,true],"contributions":[0.2894300439773183,0.7515042107347155,0.0],"lobby":[0.0,0.0,7.368290131931956],"alpha":0.507368290131932,"synergy":1.8,"pot":104.09342547120337,"shares":[57.35305711849266,98.32688675249335,31.688221977180092],"erosion":1.0,"gains":[128.41005272076083,123.1764656790218,131.6882219771801],"capitals":[265.77585535939994,264.7536674381145,271.68573448388725],"cooperation":0.346978085,"next_synergy":1.75}');
INSERT INTO "events" VALUES(3,2,'erosion',1,'{"turn":2,"cooperation":0.346978085,"synergy":1.75}');
INSERT INTO "events" VALUES(3,3,'turn_played',1,'{"turn":3,"present":[true,true,true],"contributions":[0.37575210536735776,0.7924900123140428,0.0],"lobby":[0.0,0.0,13.584286724194364],"alpha":0.5209525768561263,"synergy":1.75,"pot":116.82421176814006,"shares":[67.00213187787804,101.93864545648469,35.50159325988238],"erosion":0.9722222222222222,"gains":[127.69289941160713,122.11322759261941,132.72381548210458],"capitals":[393.46875477100707,386.86689503073393,390.8252632417974],"cooperation":0.389414039,"next_synergy":1.7}');
INSERT INTO "events" VALUES(3,4,'game_ended',1,'{"turn":3,"capitals":[393.46875477100707,386.86689503073393,390.8252632417974],"winners":[0]}');
INSERT INTO "events" VALUES(4,0,'turn_played',1,'{"turn":1,"present":[true,true,true],"contributions":[0.0,1.0,0.5715957635603045],"lobby":[0.0,0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":157.15957635603047,"shares":[47.14787290680914,137.14787290680914,98.59149162723654],"erosion":1.0,"gains":[147.14787290680914,137.14787290680914,141.4319152712061],"capitals":[147.14787290680914,137.14787290680914,141.4319152712061],"cooperation":0.523865255,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,1,'turn_played',1,'{"turn":2,"present":[true,true,true],"contributions":[0.0,0.28579788178015225,0.0014835434832631833],"lobby":[7.357393645340458,0.0,0.0],"alpha":0.5073573936453405,"synergy":1.8,"pot":28.728142526341543,"shares":[8.745261309861908,34.08857971660862,8.876815520944252],"erosion":1.0,"gains":[108.7452613098619,105.50879153859339,108.72846117261793],"capitals":[248.53574057133056,242.65666444540253,250.16037644382402],"cooperation":0.095760475,"next_synergy":1.75}');
INSERT INTO "events" VALUES(4,2,'erosion',1,'{"turn":2,"cooperation":0.095760475,"synergy":1.75}');
INSERT INTO "events" VALUES(4,3,'turn_played',1,'{"turn":3,"present":[true,true,true],"contributions":[0.0,0.0007417717416315917,0.2853741943790463],"lobby":[12.42678702856653,0.0,0.0],"alpha":0.519784180673907,"synergy":1.75,"pot":28.611596612067792,"shares":[8.675248926619327,8.737585768434924,32.65745937606439],"erosion":0.9722222222222222,"gains":[105.89747114884155,105.88769129355407,102.13496825587933],"capitals":[342.00642469160556,348.5443557389566,352.2953446997034],"cooperation":0.095371989,"next_synergy":1.7}');
INSERT INTO "events" VALUES(4,4,'game_ended',1,'{"turn":3,"capitals":[342.00642469160556,348.5443557389566,352.2953446997034],"winners":[2]}');
INSERT INTO "events" VALUES(5,0,'message_said',1,'{"round":1,"seat":2,"text":"all in with $20"}');
INSERT INTO "events" VALUES(5,1,'message_said',1,'{"round":1,"seat":0,"text":""}');
INSERT INTO "events" VALUES(5,2,'message_said',1,'{"round":1,"seat":1,"text":"all in with $20"}');
INSERT INTO "events" VALUES(5,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[5,3,0]}');
INSERT INTO "events" VALUES(5,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":8,"grown":12,"share":4,"carry_out":0,"balances":[19,21,24]}');
INSERT INTO "events" VALUES(5,5,'punished',1,'{"round":1,"punisher":0,"target":1,"asked":4,"spend":3,"damage":9}');
INSERT INTO "events" VALUES(5,6,'round_ended',1,'{"round":1,"balances":[16,12,24],"carry":0}');
INSERT INTO "events" VALUES(5,7,'game_ended',1,'{"round":1,"balances":[16,12,24],"winners":[2]}');
INSERT INTO "events" VALUES(6,0,'message_said',1,'{"round":1,"seat":2,"text":"all in with $20"}');
INSERT INTO "events" VALUES(6,1,'message_said',1,'{"round":1,"seat":0,"text":""}');
INSERT INTO "events" VALUES(6,2,'message_said',1,'{"round":1,"seat":1,"text":"all in with $20"}');
INSERT INTO "events" VALUES(6,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[5,3,0]}');
INSERT INTO "events" VALUES(6,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":8,"grown":12,"share":4,"carry_out":0,"balances":[19,21,24]}');
INSERT INTO "events" VALUES(6,5,'punished',1,'{"round":1,"punisher":0,"target":1,"asked":4,"spend":3,"damage":9}');
INSERT INTO "events" VALUES(6,6,'round_ended',1,'{"round":1,"balances":[16,12,24],"carry":0}');
INSERT INTO "events" VALUES(6,7,'game_ended',1,'{"round":1,"balances":[16,12,24],"winners":[2]}');
CREATE TABLE experiments (
	serial INTEGER NOT NULL,
	id TEXT NOT NULL,
	name TEXT NOT NULL,
	kind TEXT NOT NULL,
	created TEXT NOT NULL,
	planned INTEGER,
	settings TEXT NOT NULL,
	PRIMARY KEY (serial),
	UNIQUE (id)
);
INSERT INTO "experiments" VALUES(1,'punish-1','punish seed 3','punish','2026-11-16T13:41:23+00:00',2,'{"game":"contribute_punish","rules":{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false},"players":["Cooperator","FreeRider","ConditionalCooperator"],"seats":3,"games":2,"seed":3}');
INSERT INTO "experiments" VALUES(2,'commons-2','commons seed 3','commons','2026-11-16T13:41:28+00:00',2,'{"game":"commons","rules":{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05},"players":["TitForTat","Parasite","RandomPlayer"],"seats":3,"games":2,"seed":3}');
INSERT INTO "experiments" VALUES(3,'import-3','imported games','import','2026-11-16T13:41:28+00:00',NULL,'{"source":"logs"}');
INSERT INTO "experiments" VALUES(4,'punish-4','begun','punish','2026-11-16T13:41:28+00:00',3,'{}');
CREATE TABLE games (
	serial INTEGER NOT NULL,
	id TEXT NOT NULL,
	experiment INTEGER NOT NULL,
	place INTEGER NOT NULL,
	"key" TEXT NOT NULL,
	state TEXT NOT NULL,
	started TEXT NOT NULL,
	finished TEXT,
	rounds INTEGER,
	ostrom TEXT NOT NULL,
	game TEXT NOT NULL,
	seed TEXT,
	number BIGINT NOT NULL,
	source TEXT,
	rules TEXT NOT NULL,
	seats TEXT NOT NULL,
	orders TEXT NOT NULL,
	reason TEXT,
	package TEXT,
	game_version TEXT,
	scene TEXT,
	finals TEXT,
	reason_code TEXT,
	reason_seat INTEGER,
	PRIMARY KEY (serial),
	UNIQUE (experiment, "key"),
	UNIQUE (experiment, place),
	UNIQUE (id),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
INSERT INTO "games" VALUES(1,'punish-1.1',1,1,'0','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',2,'0.1.0','contribute_punish','3',0,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"Cooperator"},{"seat":1,"label":"P2","player":"ConditionalCooperator"},{"seat":2,"label":"P3","player":"FreeRider"}]','[]',NULL,'ostrom','1','894429630321a220187a6205c1613dd5','[17,28,58]',NULL,NULL);
INSERT INTO "games" VALUES(2,'punish-1.2',1,2,'1','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',2,'0.1.0','contribute_punish','3',1,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"FreeRider"},{"seat":1,"label":"P2","player":"Cooperator"},{"seat":2,"label":"P3","player":"ConditionalCooperator"}]','[]',NULL,'ostrom','1','894429630321a220187a6205c1613dd5','[58,17,28]',NULL,NULL);
INSERT INTO "games" VALUES(3,'commons-2.1',2,1,'0','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',3,'0.1.0','commons','3',0,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"TitForTat"},{"seat":1,"label":"P2","player":"RandomPlayer"},{"seat":2,"label":"P3","player":"Parasite"}]','[]',NULL,'ostrom','1','fc45846f2372d675759f0894f2dc0a58','[393.46875477100707,386.86689503073393,390.8252632417974]',NULL,NULL);
INSERT INTO "games" VALUES(4,'commons-2.2',2,2,'1','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',3,'0.1.0','commons','3',1,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"Parasite"},{"seat":1,"label":"P2","player":"TitForTat"},{"seat":2,"label":"P3","player":"RandomPlayer"}]','[]',NULL,'ostrom','1','fc45846f2372d675759f0894f2dc0a58','[342.00642469160556,348.5443557389566,352.2953446997034]',NULL,NULL);
INSERT INTO "games" VALUES(5,'import-3.1',3,1,'g1','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',1,'0.1.0','contribute_punish',NULL,0,'game_0.jsonl','{"rounds":1,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"model/0"},{"seat":1,"label":"P2","player":"model/1"},{"seat":2,"label":"P3","player":"model/2"}]','[{"purpose":"speaking","turn":1,"seats":[2,0,1]}]',NULL,'ostrom','1','fec098baba992932fa23f67229ea5b2c','[16,12,24]',NULL,NULL);
INSERT INTO "games" VALUES(6,'punish-4.1',4,1,'0','finished','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',1,'0.1.0','contribute_punish',NULL,0,'game_0.jsonl','{"rounds":1,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"model/0"},{"seat":1,"label":"P2","player":"model/1"},{"seat":2,"label":"P3","player":"model/2"}]','[{"purpose":"speaking","turn":1,"seats":[2,0,1]}]',NULL,NULL,NULL,NULL,'[16,12,24]',NULL,NULL);
INSERT INTO "games" VALUES(7,'punish-4.2',4,2,'1','void','2026-11-16T13:41:28+00:00','2026-11-16T13:41:28+00:00',1,'0.1.0','contribute_punish',NULL,0,'game_0.jsonl','{"rounds":1,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"model/0"},{"seat":1,"label":"P2","player":"model/1"},{"seat":2,"label":"P3","player":"model/2"}]','[{"purpose":"speaking","turn":1,"seats":[2,0,1]}]','"a seat gave no legal answer"',NULL,NULL,NULL,NULL,'illegal',1);
INSERT INTO "games" VALUES(8,'punish-4.3',4,3,'2','playing','2026-11-16T13:41:28+00:00',NULL,NULL,'0.1.0','contribute_punish',NULL,0,'game_0.jsonl','{"rounds":1,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"model/0"},{"seat":1,"label":"P2","player":"model/1"},{"seat":2,"label":"P3","player":"model/2"}]','[{"purpose":"speaking","turn":1,"seats":[2,0,1]}]',NULL,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE meta (
	schema_version INTEGER NOT NULL,
	revision BIGINT NOT NULL,
	PRIMARY KEY (schema_version)
);
INSERT INTO "meta" VALUES(3,39);
CREATE TABLE runs (
	experiment INTEGER NOT NULL,
	number INTEGER NOT NULL,
	at TEXT NOT NULL,
	settings TEXT NOT NULL,
	PRIMARY KEY (experiment, number),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
CREATE TABLE texts (
	digest TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (digest)
);
INSERT INTO "texts" VALUES('894429630321a220187a6205c1613dd5','"{\"layout\":\"table\",\"title\":\"Contribute & Punish\",\"clock\":\"round\",\"horizon\":2,\"final\":\"balance\",\"course\":\"cooperation\",\"quantities\":{\"balance\":{\"title\":\"Holds\",\"unit\":\"tokens\",\"digits\":0},\"gave\":{\"title\":\"Gave this round\",\"unit\":\"tokens\",\"digits\":0},\"given\":{\"title\":\"Gave\",\"unit\":\"tokens\",\"digits\":0},\"spent\":{\"title\":\"Spent punishing\",\"unit\":\"tokens\",\"digits\":0},\"lost\":{\"title\":\"Lost to punishment\",\"unit\":\"tokens\",\"digits\":0},\"fund\":{\"title\":\"Fund\",\"of\":\"table\",\"unit\":\"tokens\",\"digits\":0,\"note\":\"carried over\"},\"cooperation\":{\"title\":\"Given of what was held\",\"of\":\"table\",\"digits\":0,\"percent\":true,\"low\":0,\"high\":1},\"punishments\":{\"title\":\"Punishments a seat\",\"of\":\"table\",\"digits\":0,\"low\":0,\"high\":3}},\"flows\":{\"contribution\":{\"title\":\"Contribution\",\"of\":\"balance\"},\"share\":{\"title\":\"Share\",\"of\":\"balance\",\"tone\":\"good\"},\"punishment\":{\"title\":\"Punishment\",\"of\":\"balance\",\"takes\":true,\"drawn\":\"arrow\",\"tone\":\"bad\"}},\"phases\":[{\"name\":\"speak\",\"title\":\"Messages\"},{\"name\":\"give\",\"title\":\"Contributions\"},{\"name\":\"share\",\"title\":\"Shares\"},{\"name\":\"punish\",\"title\":\"Punishment\"}],\"card\":{\"quantity\":\"balance\",\"notes\":[{\"quantity\":\"gave\",\"title\":\"gave\"}]},\"centre\":{\"quantity\":\"fund\",\"title\":\"Fund\"},\"strip\":{\"bars\":\"cooperation\",\"ticks\":\"punishments\"},\"standing\":[{\"quantity\":\"balance\"},{\"quantity\":\"balance\",\"title\":\"Over the rounds\",\"line\":true},{\"quantity\":\"given\"},{\"quantity\":\"spent\"},{\"quantity\":\"lost\"}]}"');
INSERT INTO "texts" VALUES('fc45846f2372d675759f0894f2dc0a58','"{\"layout\":\"dashboard\",\"title\":\"The Commons\",\"clock\":\"turn\",\"horizon\":3,\"pace\":10.0,\"final\":\"capital\",\"course\":\"cooperation\",\"quantities\":{\"capital\":{\"title\":\"Capital\",\"digits\":2},\"gain\":{\"title\":\"This turn\",\"digits\":2,\"signed\":true},\"contribution\":{\"title\":\"Contributions\",\"digits\":2,\"low\":0,\"high\":1},\"lobby\":{\"title\":\"Lobbied\",\"digits\":2,\"signed\":true},\"cooperation\":{\"title\":\"Cooperation\",\"of\":\"table\",\"digits\":2,\"low\":0,\"high\":1},\"synergy\":{\"title\":\"Synergy\",\"of\":\"table\",\"digits\":2,\"low\":1.2,\"high\":3.0},\"alpha\":{\"title\":\"\\u03b1, redistribution\",\"of\":\"table\",\"digits\":3,\"low\":0,\"high\":1,\"note\":\"1 equal shares, 0 by contribution\"},\"pot\":{\"title\":\"Pot\",\"of\":\"table\",\"digits\":2},\"erosion\":{\"title\":\"Kept money \\u00d7\",\"of\":\"table\",\"digits\":3}},\"standing\":[{\"quantity\":\"capital\"},{\"quantity\":\"gain\"},{\"quantity\":\"contribution\",\"title\":\"Gave\"}],\"figures\":[\"cooperation\",\"synergy\",\"alpha\",\"pot\",\"erosion\"],\"panels\":[{\"kind\":\"lines\",\"quantity\":\"capital\"},{\"kind\":\"steps\",\"quantity\":\"cooperation\",\"bounds\":[{\"value\":0.8,\"text\":\"golden age\",\"tone\":\"gold\"},{\"value\":0.5,\"text\":\"erosion\",\"tone\":\"bad\"}]},{\"kind\":\"steps\",\"quantity\":\"synergy\"},{\"kind\":\"steps\",\"quantity\":\"alpha\"},{\"kind\":\"heat\",\"quantity\":\"contribution\",\"words\":[\"nothing\",\"everything\"]}],\"colour\":\"contribution\"}"');
INSERT INTO "texts" VALUES('fec098baba992932fa23f67229ea5b2c','"{\"layout\":\"table\",\"title\":\"Contribute & Punish\",\"clock\":\"round\",\"horizon\":1,\"final\":\"balance\",\"course\":\"cooperation\",\"quantities\":{\"balance\":{\"title\":\"Holds\",\"unit\":\"tokens\",\"digits\":0},\"gave\":{\"title\":\"Gave this round\",\"unit\":\"tokens\",\"digits\":0},\"given\":{\"title\":\"Gave\",\"unit\":\"tokens\",\"digits\":0},\"spent\":{\"title\":\"Spent punishing\",\"unit\":\"tokens\",\"digits\":0},\"lost\":{\"title\":\"Lost to punishment\",\"unit\":\"tokens\",\"digits\":0},\"fund\":{\"title\":\"Fund\",\"of\":\"table\",\"unit\":\"tokens\",\"digits\":0,\"note\":\"carried over\"},\"cooperation\":{\"title\":\"Given of what was held\",\"of\":\"table\",\"digits\":0,\"percent\":true,\"low\":0,\"high\":1},\"punishments\":{\"title\":\"Punishments a seat\",\"of\":\"table\",\"digits\":0,\"low\":0,\"high\":3}},\"flows\":{\"contribution\":{\"title\":\"Contribution\",\"of\":\"balance\"},\"share\":{\"title\":\"Share\",\"of\":\"balance\",\"tone\":\"good\"},\"punishment\":{\"title\":\"Punishment\",\"of\":\"balance\",\"takes\":true,\"drawn\":\"arrow\",\"tone\":\"bad\"}},\"phases\":[{\"name\":\"speak\",\"title\":\"Messages\"},{\"name\":\"give\",\"title\":\"Contributions\"},{\"name\":\"share\",\"title\":\"Shares\"},{\"name\":\"punish\",\"title\":\"Punishment\"}],\"card\":{\"quantity\":\"balance\",\"notes\":[{\"quantity\":\"gave\",\"title\":\"gave\"}]},\"centre\":{\"quantity\":\"fund\",\"title\":\"Fund\"},\"strip\":{\"bars\":\"cooperation\",\"ticks\":\"punishments\"},\"standing\":[{\"quantity\":\"balance\"},{\"quantity\":\"balance\",\"title\":\"Over the rounds\",\"line\":true},{\"quantity\":\"given\"},{\"quantity\":\"spent\"},{\"quantity\":\"lost\"}]}"');
CREATE INDEX games_by_key ON games ("key");
CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens, latency, cost, reserved);
COMMIT;
