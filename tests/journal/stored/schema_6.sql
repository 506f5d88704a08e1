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
INSERT INTO "answers" VALUES(1,0,1,'message',0,'"I''ll contribute all 20."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,1,1,'message',1,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,2,1,'message',2,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,4,1,'contribution',1,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,5,1,'contribution',2,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,6,1,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,8,1,'punishment',2,'{"target":1,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,9,2,'message',0,'"I''ll contribute all 21."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,10,2,'message',1,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,11,2,'message',2,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,12,2,'contribution',0,'21','answered',0,NULL);
INSERT INTO "answers" VALUES(1,13,2,'contribution',1,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,14,2,'contribution',2,'16','answered',0,NULL);
INSERT INTO "answers" VALUES(1,15,2,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,16,2,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,17,2,'punishment',2,'{"target":1,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,0,1,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,1,1,'message',1,'"I''ll contribute all 20."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,2,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,4,1,'contribution',1,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(2,6,1,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,9,2,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,10,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,11,2,'message',1,'"I''ll contribute all 21."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,12,2,'contribution',0,'16','answered',0,NULL);
INSERT INTO "answers" VALUES(2,13,2,'contribution',1,'21','answered',0,NULL);
INSERT INTO "answers" VALUES(2,14,2,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(2,15,2,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,16,2,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,17,2,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,0,1,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,1,1,'move',1,'{"contribution":0.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,2,2,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,3,2,'move',1,'{"contribution":0.0,"lobby":7.25}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,4,3,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,5,3,'move',1,'{"contribution":0.0,"lobby":14.170125000000002}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,0,1,'move',0,'{"contribution":0.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,1,1,'move',1,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,2,2,'move',0,'{"contribution":0.0,"lobby":7.25}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,3,2,'move',1,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,4,3,'move',0,'{"contribution":0.0,"lobby":14.170125000000002}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,5,3,'move',1,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,0,1,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,1,1,'move',1,'{"contribution":0.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,2,2,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,3,2,'move',1,'{"contribution":0.0,"lobby":7.25}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,4,3,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,5,3,'move',1,'{"contribution":0.0,"lobby":14.170125000000002}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,0,1,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,1,1,'move',1,'{"contribution":0.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,2,2,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,3,2,'move',1,'{"contribution":0.0,"lobby":7.25}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,4,3,'move',0,'{"contribution":1.0,"lobby":0.0}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,5,3,'move',1,'{"contribution":0.0,"lobby":14.170125000000002}','answered',0,NULL);
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
INSERT INTO "events" VALUES(1,0,'message_said',1,'{"round":1,"seat":0,"text":"I''ll contribute all 20."}');
INSERT INTO "events" VALUES(1,1,'message_said',1,'{"round":1,"seat":1,"text":""}');
INSERT INTO "events" VALUES(1,2,'message_said',1,'{"round":1,"seat":2,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(1,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,0,20]}');
INSERT INTO "events" VALUES(1,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":40,"grown":64,"share":21,"carry_out":1,"balances":[21,41,21]}');
INSERT INTO "events" VALUES(1,5,'punished',1,'{"round":1,"punisher":2,"target":1,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(1,6,'round_ended',1,'{"round":1,"balances":[21,26,16],"carry":1}');
INSERT INTO "events" VALUES(1,7,'message_said',1,'{"round":2,"seat":0,"text":"I''ll contribute all 21."}');
INSERT INTO "events" VALUES(1,8,'message_said',1,'{"round":2,"seat":1,"text":""}');
INSERT INTO "events" VALUES(1,9,'message_said',1,'{"round":2,"seat":2,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(1,10,'contributed',1,'{"round":2,"start":[21,26,16],"contributions":[21,0,16]}');
INSERT INTO "events" VALUES(1,11,'fund_shared',1,'{"round":2,"carry_in":1,"pot":38,"grown":60,"share":20,"carry_out":0,"balances":[20,46,20]}');
INSERT INTO "events" VALUES(1,12,'punished',1,'{"round":2,"punisher":2,"target":1,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(1,13,'round_ended',1,'{"round":2,"balances":[20,31,15],"carry":0}');
INSERT INTO "events" VALUES(1,14,'game_ended',1,'{"round":2,"balances":[20,31,15],"winners":[1]}');
INSERT INTO "events" VALUES(2,0,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(2,1,'message_said',1,'{"round":1,"seat":1,"text":"I''ll contribute all 20."}');
INSERT INTO "events" VALUES(2,2,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,20,0]}');
INSERT INTO "events" VALUES(2,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":40,"grown":64,"share":21,"carry_out":1,"balances":[21,21,41]}');
INSERT INTO "events" VALUES(2,5,'punished',1,'{"round":1,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(2,6,'round_ended',1,'{"round":1,"balances":[16,21,26],"carry":1}');
INSERT INTO "events" VALUES(2,7,'message_said',1,'{"round":2,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(2,8,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,9,'message_said',1,'{"round":2,"seat":1,"text":"I''ll contribute all 21."}');
INSERT INTO "events" VALUES(2,10,'contributed',1,'{"round":2,"start":[16,21,26],"contributions":[16,21,0]}');
INSERT INTO "events" VALUES(2,11,'fund_shared',1,'{"round":2,"carry_in":1,"pot":38,"grown":60,"share":20,"carry_out":0,"balances":[20,20,46]}');
INSERT INTO "events" VALUES(2,12,'punished',1,'{"round":2,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(2,13,'round_ended',1,'{"round":2,"balances":[15,20,31],"carry":0}');
INSERT INTO "events" VALUES(2,14,'game_ended',1,'{"round":2,"balances":[15,20,31],"winners":[2]}');
INSERT INTO "events" VALUES(3,0,'turn_played',1,'{"turn":1,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":100.0,"shares":[135.0,45.0],"erosion":1.0,"gains":[135.0,145.0],"capitals":[135.0,145.0],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,1,'turn_played',1,'{"turn":2,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,7.25],"alpha":0.50725,"synergy":1.8,"pot":100.0,"shares":[134.3475,45.652499999999996],"erosion":1.0,"gains":[134.3475,145.6525],"capitals":[269.34749999999997,283.40250000000003],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,2,'turn_played',1,'{"turn":3,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,14.170125000000002],"alpha":0.521420125,"synergy":1.8,"pot":100.0,"shares":[133.07218875,46.92781125],"erosion":1.0,"gains":[133.07218875,146.92781125],"capitals":[402.41968875,416.16018625000004],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,3,'game_ended',1,'{"turn":3,"capitals":[402.41968875,416.16018625000004],"winners":[1]}');
INSERT INTO "events" VALUES(4,0,'turn_played',1,'{"turn":1,"present":[true,true],"contributions":[0.0,1.0],"lobby":[0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":100.0,"shares":[45.0,135.0],"erosion":1.0,"gains":[145.0,135.0],"capitals":[145.0,135.0],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,1,'turn_played',1,'{"turn":2,"present":[true,true],"contributions":[0.0,1.0],"lobby":[7.25,0.0],"alpha":0.50725,"synergy":1.8,"pot":100.0,"shares":[45.652499999999996,134.3475],"erosion":1.0,"gains":[145.6525,134.3475],"capitals":[283.40250000000003,269.34749999999997],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,2,'turn_played',1,'{"turn":3,"present":[true,true],"contributions":[0.0,1.0],"lobby":[14.170125000000002,0.0],"alpha":0.521420125,"synergy":1.8,"pot":100.0,"shares":[46.92781125,133.07218875],"erosion":1.0,"gains":[146.92781125,133.07218875],"capitals":[416.16018625000004,402.41968875],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,3,'game_ended',1,'{"turn":3,"capitals":[416.16018625000004,402.41968875],"winners":[0]}');
INSERT INTO "events" VALUES(5,0,'turn_played',1,'{"turn":1,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":100.0,"shares":[135.0,45.0],"erosion":1.0,"gains":[135.0,145.0],"capitals":[135.0,145.0],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(5,1,'turn_played',1,'{"turn":2,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,7.25],"alpha":0.50725,"synergy":1.8,"pot":100.0,"shares":[134.3475,45.652499999999996],"erosion":1.0,"gains":[134.3475,145.6525],"capitals":[269.34749999999997,283.40250000000003],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(5,2,'turn_played',1,'{"turn":3,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,14.170125000000002],"alpha":0.521420125,"synergy":1.8,"pot":100.0,"shares":[133.07218875,46.92781125],"erosion":1.0,"gains":[133.07218875,146.92781125],"capitals":[402.41968875,416.16018625000004],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(5,3,'game_ended',1,'{"turn":3,"capitals":[402.41968875,416.16018625000004],"winners":[1]}');
INSERT INTO "events" VALUES(6,0,'turn_played',1,'{"turn":1,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":100.0,"shares":[135.0,45.0],"erosion":1.0,"gains":[135.0,145.0],"capitals":[135.0,145.0],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(6,1,'turn_played',1,'{"turn":2,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,7.25],"alpha":0.50725,"synergy":1.8,"pot":100.0,"shares":[134.3475,45.652499999999996],"erosion":1.0,"gains":[134.3475,145.6525],"capitals":[269.34749999999997,283.40250000000003],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(6,2,'turn_played',1,'{"turn":3,"present":[true,true],"contributions":[1.0,0.0],"lobby":[0.0,14.170125000000002],"alpha":0.521420125,"synergy":1.8,"pot":100.0,"shares":[133.07218875,46.92781125],"erosion":1.0,"gains":[133.07218875,146.92781125],"capitals":[402.41968875,416.16018625000004],"cooperation":0.5,"next_synergy":1.8}');
INSERT INTO "events" VALUES(6,3,'game_ended',1,'{"turn":3,"capitals":[402.41968875,416.16018625000004],"winners":[1]}');
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
INSERT INTO "experiments" VALUES(1,'punish-1','punish seed 7','punish','2026-11-17T02:29:59+00:00',2,'{"game":"contribute_punish","rules":{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false},"players":["Cooperator","FreeRider","AltruisticPunisher"],"seats":3,"games":2,"seed":7,"schedule":2,"made":{"ostrom":"0.1.0","command":"ostrom bench punish --include Cooperator --include FreeRider --include AltruisticPunisher --seats 3 --games 2 --seed 7 --rounds 2 --store j.db"}}');
INSERT INTO "experiments" VALUES(2,'commons-2','commons seed 3','commons','2026-11-17T02:30:02+00:00',2,'{"game":"commons","rules":{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05},"players":["Pavlov","Parasite"],"seats":2,"games":2,"seed":3,"schedule":2,"made":{"ostrom":"0.1.0","command":"ostrom bench commons --include Pavlov --include Parasite --turns 3 --games 2 --seed 3 --seats 2 --store j.db"}}');
INSERT INTO "experiments" VALUES(3,'simulation-3','tournament of The Commons','simulation','2026-11-17T02:30:05+00:00',2,'{"simulation":{"game":"commons","games":2,"tables":1,"group_size":2,"seed":2,"over":"tables","estimand":"Figures are those of the tables played: intervals hold the chance within games, and nothing else is taken to be drawn.","backend":"numpy","player_turns":12,"rules":{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05},"plain_python":[],"remark":""}}');
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
	tallies TEXT,
	decisions TEXT,
	PRIMARY KEY (serial),
	UNIQUE (experiment, "key"),
	UNIQUE (experiment, place),
	UNIQUE (id),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
INSERT INTO "games" VALUES(1,'punish-1.1',1,1,'0','finished','2026-11-17T02:29:59+00:00','2026-11-17T02:29:59+00:00',2,'0.1.0','contribute_punish','7',0,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"Cooperator"},{"seat":1,"label":"P2","player":"FreeRider"},{"seat":2,"label":"P3","player":"AltruisticPunisher"}]','[]',NULL,'ostrom','1','894429630321a220187a6205c1613dd5','[20,31,15]',NULL,NULL,'[[6,0,0,0],[6,0,0,0],[6,0,0,0]]','ab1ab181a6768141d9de097f0d17d312');
INSERT INTO "games" VALUES(2,'punish-1.2',1,2,'1','finished','2026-11-17T02:29:59+00:00','2026-11-17T02:29:59+00:00',2,'0.1.0','contribute_punish','7',1,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"AltruisticPunisher"},{"seat":1,"label":"P2","player":"Cooperator"},{"seat":2,"label":"P3","player":"FreeRider"}]','[]',NULL,'ostrom','1','894429630321a220187a6205c1613dd5','[15,20,31]',NULL,NULL,'[[6,0,0,0],[6,0,0,0],[6,0,0,0]]','69d66e140c75911d7fd13c24543f7d39');
INSERT INTO "games" VALUES(3,'commons-2.1',2,1,'0','finished','2026-11-17T02:30:03+00:00','2026-11-17T02:30:03+00:00',3,'0.1.0','commons','3',0,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"Pavlov"},{"seat":1,"label":"P2","player":"Parasite"}]','[]',NULL,'ostrom','2','fc45846f2372d675759f0894f2dc0a58','[402.41968875,416.16018625000004]',NULL,NULL,'[[3,0,0,0],[3,0,0,0]]','3135d8b0dcfb4769b2102203b9d21c79');
INSERT INTO "games" VALUES(4,'commons-2.2',2,2,'1','finished','2026-11-17T02:30:03+00:00','2026-11-17T02:30:03+00:00',3,'0.1.0','commons','3',1,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"Parasite"},{"seat":1,"label":"P2","player":"Pavlov"}]','[]',NULL,'ostrom','2','fc45846f2372d675759f0894f2dc0a58','[416.16018625000004,402.41968875]',NULL,NULL,'[[3,0,0,0],[3,0,0,0]]','346ed23523cef5097634ff984148d60a');
INSERT INTO "games" VALUES(5,'simulation-3.1',3,1,'game 0','finished','2026-11-17T02:30:05+00:00','2026-11-17T02:30:05+00:00',3,'0.1.0','commons','2',0,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"Pavlov"},{"seat":1,"label":"P2","player":"Parasite"}]','[]',NULL,'ostrom','2','fc45846f2372d675759f0894f2dc0a58','[402.41968875,416.16018625000004]',NULL,NULL,'[[3,0,0,0],[3,0,0,0]]','3135d8b0dcfb4769b2102203b9d21c79');
INSERT INTO "games" VALUES(6,'simulation-3.2',3,2,'game 1','finished','2026-11-17T02:30:05+00:00','2026-11-17T02:30:05+00:00',3,'0.1.0','commons','2',1,NULL,'{"endowment":100.0,"duration":100,"turns":3,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"votes_needed":2,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"Pavlov"},{"seat":1,"label":"P2","player":"Parasite"}]','[]',NULL,'ostrom','2','fc45846f2372d675759f0894f2dc0a58','[402.41968875,416.16018625000004]',NULL,NULL,'[[3,0,0,0],[3,0,0,0]]','3135d8b0dcfb4769b2102203b9d21c79');
CREATE TABLE meta (
	schema_version INTEGER NOT NULL,
	revision BIGINT NOT NULL,
	PRIMARY KEY (schema_version)
);
INSERT INTO "meta" VALUES(6,9);
CREATE TABLE runs (
	experiment INTEGER NOT NULL,
	number INTEGER NOT NULL,
	at TEXT NOT NULL,
	settings TEXT NOT NULL,
	PRIMARY KEY (experiment, number),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
CREATE TABLE seat_links (
	experiment INTEGER NOT NULL,
	seat INTEGER NOT NULL,
	digest TEXT NOT NULL,
	opened INTEGER NOT NULL,
	question TEXT,
	seconds_left FLOAT,
	place TEXT,
	PRIMARY KEY (experiment, seat),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
INSERT INTO "seat_links" VALUES(1,0,'0000000000000000000000000000000000000000000000000000000000000000',0,NULL,NULL,'127.0.0.1:8000');
CREATE TABLE sent_calls (
	serial BIGINT NOT NULL,
	game INTEGER NOT NULL,
	place INTEGER NOT NULL,
	attempt INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	phase TEXT NOT NULL,
	seat INTEGER NOT NULL,
	at TEXT NOT NULL,
	model TEXT NOT NULL,
	dollars FLOAT NOT NULL,
	tokens BIGINT NOT NULL,
	settled TEXT,
	PRIMARY KEY (serial),
	FOREIGN KEY(game) REFERENCES games (serial)
);
CREATE TABLE texts (
	digest TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (digest)
);
INSERT INTO "texts" VALUES('894429630321a220187a6205c1613dd5','"{\"layout\":\"table\",\"title\":\"Contribute & Punish\",\"clock\":\"round\",\"horizon\":2,\"final\":\"balance\",\"course\":\"cooperation\",\"quantities\":{\"balance\":{\"title\":\"Holds\",\"unit\":\"tokens\",\"digits\":0},\"gave\":{\"title\":\"Gave this round\",\"unit\":\"tokens\",\"digits\":0},\"given\":{\"title\":\"Gave\",\"unit\":\"tokens\",\"digits\":0},\"spent\":{\"title\":\"Spent punishing\",\"unit\":\"tokens\",\"digits\":0},\"lost\":{\"title\":\"Lost to punishment\",\"unit\":\"tokens\",\"digits\":0},\"fund\":{\"title\":\"Fund\",\"of\":\"table\",\"unit\":\"tokens\",\"digits\":0,\"note\":\"carried over\"},\"cooperation\":{\"title\":\"Given of what was held\",\"of\":\"table\",\"digits\":0,\"percent\":true,\"low\":0,\"high\":1},\"punishments\":{\"title\":\"Punishments a seat\",\"of\":\"table\",\"digits\":0,\"low\":0,\"high\":3}},\"flows\":{\"contribution\":{\"title\":\"Contribution\",\"of\":\"balance\"},\"share\":{\"title\":\"Share\",\"of\":\"balance\",\"tone\":\"good\"},\"punishment\":{\"title\":\"Punishment\",\"of\":\"balance\",\"takes\":true,\"drawn\":\"arrow\",\"tone\":\"bad\"}},\"phases\":[{\"name\":\"speak\",\"title\":\"Messages\"},{\"name\":\"give\",\"title\":\"Contributions\"},{\"name\":\"share\",\"title\":\"Shares\"},{\"name\":\"punish\",\"title\":\"Punishment\"}],\"card\":{\"quantity\":\"balance\",\"notes\":[{\"quantity\":\"gave\",\"title\":\"gave\"}]},\"centre\":{\"quantity\":\"fund\",\"title\":\"Fund\"},\"strip\":{\"bars\":\"cooperation\",\"ticks\":\"punishments\"},\"standing\":[{\"quantity\":\"balance\"},{\"quantity\":\"balance\",\"title\":\"Over the rounds\",\"line\":true},{\"quantity\":\"given\"},{\"quantity\":\"spent\"},{\"quantity\":\"lost\"}]}"');
INSERT INTO "texts" VALUES('fc45846f2372d675759f0894f2dc0a58','"{\"layout\":\"dashboard\",\"title\":\"The Commons\",\"clock\":\"turn\",\"horizon\":3,\"pace\":10.0,\"final\":\"capital\",\"course\":\"cooperation\",\"quantities\":{\"capital\":{\"title\":\"Capital\",\"digits\":2},\"gain\":{\"title\":\"This turn\",\"digits\":2,\"signed\":true},\"contribution\":{\"title\":\"Contributions\",\"digits\":2,\"low\":0,\"high\":1},\"lobby\":{\"title\":\"Lobbied\",\"digits\":2,\"signed\":true},\"cooperation\":{\"title\":\"Cooperation\",\"of\":\"table\",\"digits\":2,\"low\":0,\"high\":1},\"synergy\":{\"title\":\"Synergy\",\"of\":\"table\",\"digits\":2,\"low\":1.2,\"high\":3.0},\"alpha\":{\"title\":\"\\u03b1, redistribution\",\"of\":\"table\",\"digits\":3,\"low\":0,\"high\":1,\"note\":\"1 equal shares, 0 by contribution\"},\"pot\":{\"title\":\"Pot\",\"of\":\"table\",\"digits\":2},\"erosion\":{\"title\":\"Kept money \\u00d7\",\"of\":\"table\",\"digits\":3}},\"standing\":[{\"quantity\":\"capital\"},{\"quantity\":\"gain\"},{\"quantity\":\"contribution\",\"title\":\"Gave\"}],\"figures\":[\"cooperation\",\"synergy\",\"alpha\",\"pot\",\"erosion\"],\"panels\":[{\"kind\":\"lines\",\"quantity\":\"capital\"},{\"kind\":\"steps\",\"quantity\":\"cooperation\",\"bounds\":[{\"value\":0.8,\"text\":\"golden age\",\"tone\":\"gold\"},{\"value\":0.5,\"text\":\"erosion\",\"tone\":\"bad\"}]},{\"kind\":\"steps\",\"quantity\":\"synergy\"},{\"kind\":\"steps\",\"quantity\":\"alpha\"},{\"kind\":\"heat\",\"quantity\":\"contribution\",\"words\":[\"nothing\",\"everything\"]}],\"colour\":\"contribution\"}"');
CREATE TABLE tidy_tables (
	game TEXT NOT NULL,
	block INTEGER NOT NULL,
	name TEXT NOT NULL,
	digest TEXT NOT NULL,
	content BLOB NOT NULL,
	PRIMARY KEY (game, block, name)
);
CREATE INDEX games_by_key ON games ("key");
CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens, latency, cost, reserved);
CREATE INDEX sent_calls_by_game ON sent_calls (game);
COMMIT;
