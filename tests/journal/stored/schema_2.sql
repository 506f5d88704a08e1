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
INSERT INTO "answers" VALUES(1,2,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,4,1,'contribution',1,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(1,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,6,1,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,9,2,'message',0,'"I''ll contribute all 21."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,10,2,'message',1,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,11,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,12,2,'contribution',0,'21','answered',0,NULL);
INSERT INTO "answers" VALUES(1,13,2,'contribution',1,'19','answered',0,NULL);
INSERT INTO "answers" VALUES(1,14,2,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,15,2,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,16,2,'punishment',1,'{"target":0,"spend":8}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,17,2,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,18,3,'message',1,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,19,3,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(1,20,3,'message',0,'"I''ll contribute all 12."','answered',0,NULL);
INSERT INTO "answers" VALUES(1,21,3,'contribution',0,'12','answered',0,NULL);
INSERT INTO "answers" VALUES(1,22,3,'contribution',1,'14','answered',0,NULL);
INSERT INTO "answers" VALUES(1,23,3,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(1,24,3,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,25,3,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(1,26,3,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,0,1,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,1,1,'message',1,'"I''ll contribute all 20."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,2,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,4,1,'contribution',1,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,5,1,'contribution',2,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(2,6,1,'punishment',0,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,8,1,'punishment',2,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,9,2,'message',0,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,10,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,11,2,'message',1,'"I''ll contribute all 32."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,12,2,'contribution',0,'32','answered',0,NULL);
INSERT INTO "answers" VALUES(2,13,2,'contribution',1,'32','answered',0,NULL);
INSERT INTO "answers" VALUES(2,14,2,'contribution',2,'19','answered',0,NULL);
INSERT INTO "answers" VALUES(2,15,2,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,16,2,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,17,2,'punishment',2,'{"target":0,"spend":4}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,18,3,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(2,19,3,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,20,3,'message',1,'"I''ll contribute all 44."','answered',0,NULL);
INSERT INTO "answers" VALUES(2,21,3,'contribution',0,'27','answered',0,NULL);
INSERT INTO "answers" VALUES(2,22,3,'contribution',1,'44','answered',0,NULL);
INSERT INTO "answers" VALUES(2,23,3,'contribution',2,'3','answered',0,NULL);
INSERT INTO "answers" VALUES(2,24,3,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,25,3,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(2,26,3,'punishment',2,'{"target":1,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,0,1,'move',0,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,1,1,'move',1,'{"contribution":0.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,2,1,'move',2,'{"contribution":0.9,"lobby":-0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,3,1,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,4,2,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,5,2,'move',1,'{"contribution":0.0,"lobby":8.262500000000001,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,6,2,'move',2,'{"contribution":0.9,"lobby":-7.8125,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,7,2,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,8,3,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,9,3,'move',1,'{"contribution":0.0,"lobby":16.00221,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,10,3,'move',2,'{"contribution":0.9,"lobby":-15.121065,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,11,3,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,12,4,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,13,4,'move',1,'{"contribution":0.0,"lobby":23.3604857135,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,14,4,'move',2,'{"contribution":0.9,"lobby":-22.062615689,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(3,15,4,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,0,1,'move',0,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,1,1,'move',1,'{"contribution":0.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,2,1,'move',2,'{"contribution":0.9,"lobby":-0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,3,1,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,4,2,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,5,2,'move',1,'{"contribution":0.0,"lobby":8.262500000000001,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,6,2,'move',2,'{"contribution":0.9,"lobby":-7.8125,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,7,2,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,8,3,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,9,3,'move',1,'{"contribution":0.0,"lobby":16.00221,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,10,3,'move',2,'{"contribution":0.9,"lobby":-15.121065,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,11,3,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,12,4,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,13,4,'move',1,'{"contribution":0.0,"lobby":23.3604857135,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,14,4,'move',2,'{"contribution":0.9,"lobby":-22.062615689,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(4,15,4,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":1}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,0,1,'move',0,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,1,1,'move',1,'{"contribution":0.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,2,1,'move',2,'{"contribution":0.9,"lobby":-0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,3,1,'move',3,'{"contribution":1.0,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(5,4,2,'move',0,'{"contribution":0.9,"lobby":0.0,"vote":null}','answered',0,NULL);
INSERT INTO "answers" VALUES(6,0,1,'message',2,'""','imported',0,NULL);
INSERT INTO "answers" VALUES(6,1,1,'message',0,'"Whoever gives least will pay for it."','imported',0,NULL);
INSERT INTO "answers" VALUES(6,2,1,'message',1,'""','imported',0,NULL);
INSERT INTO "answers" VALUES(6,3,1,'contribution',0,'20','imported',0,NULL);
INSERT INTO "answers" VALUES(6,4,1,'contribution',1,'4','imported',0,NULL);
INSERT INTO "answers" VALUES(6,5,1,'contribution',2,'0','imported',0,NULL);
INSERT INTO "answers" VALUES(6,6,1,'punishment',0,'{"target":2,"spend":5}','imported',0,NULL);
INSERT INTO "answers" VALUES(6,7,1,'punishment',1,'{"target":null,"spend":0}','imported',0,NULL);
INSERT INTO "answers" VALUES(6,8,1,'punishment',2,'{"target":0,"spend":5}','imported',0,NULL);
INSERT INTO "answers" VALUES(6,9,2,'message',0,'"Whoever gives least will pay for it."','imported',0,NULL);
INSERT INTO "answers" VALUES(6,10,2,'message',2,'""','imported',0,NULL);
INSERT INTO "answers" VALUES(6,11,2,'message',1,'""','imported',0,NULL);
INSERT INTO "answers" VALUES(6,12,2,'contribution',0,'4','imported',0,NULL);
INSERT INTO "answers" VALUES(6,13,2,'contribution',1,'12','imported',0,NULL);
INSERT INTO "answers" VALUES(6,14,2,'contribution',2,'0','imported',0,NULL);
INSERT INTO "answers" VALUES(6,15,2,'punishment',0,'{"target":2,"spend":5}','imported',0,NULL);
INSERT INTO "answers" VALUES(6,16,2,'punishment',1,'{"target":0,"spend":9}','imported',0,NULL);
INSERT INTO "answers" VALUES(6,17,2,'punishment',2,'{"target":1,"spend":5}','imported',0,NULL);
INSERT INTO "answers" VALUES(7,0,1,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(7,1,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(7,2,1,'message',1,'""','answered',1,NULL);
INSERT INTO "answers" VALUES(7,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(7,4,1,'contribution',1,'13','repaired',0,NULL);
INSERT INTO "answers" VALUES(7,5,1,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(7,6,1,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,7,1,'punishment',1,'{"target":null,"spend":0}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,8,1,'punishment',2,'{"target":0,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,9,2,'message',1,'""','answered',1,NULL);
INSERT INTO "answers" VALUES(7,10,2,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(7,11,2,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(7,12,2,'contribution',0,'6','answered',0,NULL);
INSERT INTO "answers" VALUES(7,13,2,'contribution',1,'5','answered',0,NULL);
INSERT INTO "answers" VALUES(7,14,2,'contribution',2,'0','answered',0,NULL);
INSERT INTO "answers" VALUES(7,15,2,'punishment',0,'{"target":2,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(7,16,2,'punishment',1,'{"target":0,"spend":3}','repaired',0,NULL);
INSERT INTO "answers" VALUES(7,17,2,'punishment',2,'{"target":0,"spend":5}','answered',0,NULL);
INSERT INTO "answers" VALUES(8,0,1,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(8,1,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(8,2,1,'message',1,'""','answered',1,NULL);
INSERT INTO "answers" VALUES(8,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(9,0,1,'message',2,'""','answered',0,NULL);
INSERT INTO "answers" VALUES(9,1,1,'message',1,'""','answered',1,NULL);
INSERT INTO "answers" VALUES(9,2,1,'message',0,'"Whoever gives least will pay for it."','answered',0,NULL);
INSERT INTO "answers" VALUES(9,3,1,'contribution',0,'20','answered',0,NULL);
INSERT INTO "answers" VALUES(9,4,1,'contribution',1,'9','repaired',0,NULL);
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
INSERT INTO "calls" VALUES(7,2,1,1,'message',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,102,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","bf8e5d7ec9e71344f3a11f0369f94430"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 2"');
INSERT INTO "calls" VALUES(7,4,1,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one','timeout',NULL,NULL,0.25,NULL,0.01,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]',NULL,'"it was timeout"','{}',NULL);
INSERT INTO "calls" VALUES(7,4,2,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one','malformed',104,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]','"stop"',NULL,'{"reasoning":"because"}','"what? \ud83d"');
INSERT INTO "calls" VALUES(7,4,3,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,104,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 4"');
INSERT INTO "calls" VALUES(7,7,1,1,'punishment',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,107,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","efc4dbc9158e3395159773212a3ae1fd"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 7"');
INSERT INTO "calls" VALUES(7,9,1,2,'message',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,109,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","88c907bdc4f8c2c88600ba5eb0b13f46"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 9"');
INSERT INTO "calls" VALUES(7,13,1,2,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,113,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","235e15cc693c4ee62373e4a73b1ba836"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 13"');
INSERT INTO "calls" VALUES(7,16,1,2,'punishment',1,'2026-05-01T10:00:00.123+00:00','test:one','timeout',NULL,NULL,0.25,NULL,0.01,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","7d4a786fe9e2188e95d991f79bedf1d4"]]',NULL,'"it was timeout"','{}',NULL);
INSERT INTO "calls" VALUES(7,16,2,2,'punishment',1,'2026-05-01T10:00:00.123+00:00','test:one','malformed',116,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","7d4a786fe9e2188e95d991f79bedf1d4"]]','"stop"',NULL,'{"reasoning":"because"}','"what? \ud83d"');
INSERT INTO "calls" VALUES(7,16,3,2,'punishment',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,116,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","7d4a786fe9e2188e95d991f79bedf1d4"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 16"');
INSERT INTO "calls" VALUES(8,2,1,1,'message',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,102,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","bf8e5d7ec9e71344f3a11f0369f94430"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 2"');
INSERT INTO "calls" VALUES(8,4,1,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one','refused',104,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]','"stop"',NULL,'{"reasoning":"because"}','"I will not"');
INSERT INTO "calls" VALUES(9,1,1,1,'message',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,101,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","19674b3e7c957f0c2aaf2deccf3b73e5"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 1"');
INSERT INTO "calls" VALUES(9,4,1,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one','timeout',NULL,NULL,0.25,NULL,0.01,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]',NULL,'"it was timeout"','{}',NULL);
INSERT INTO "calls" VALUES(9,4,2,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one','malformed',104,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]','"stop"',NULL,'{"reasoning":"because"}','"what? \ud83d"');
INSERT INTO "calls" VALUES(9,4,3,1,'contribution',1,'2026-05-01T10:00:00.123+00:00','test:one',NULL,104,10,0.25,0.0002,0.0,'885d491105110b1c705acfd135317240','[["system","87101522e7cda922bd1d094e99abaed1"],["user","6679fe990197fd45b923f40f2d5f0cd3"]]','"stop"',NULL,'{"reasoning":"because"}','"reply 4"');
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
INSERT INTO "events" VALUES(1,2,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(1,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,20,0]}');
INSERT INTO "events" VALUES(1,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":40,"grown":64,"share":21,"carry_out":1,"balances":[21,21,41]}');
INSERT INTO "events" VALUES(1,5,'round_ended',1,'{"round":1,"balances":[21,21,41],"carry":1}');
INSERT INTO "events" VALUES(1,6,'message_said',1,'{"round":2,"seat":0,"text":"I''ll contribute all 21."}');
INSERT INTO "events" VALUES(1,7,'message_said',1,'{"round":2,"seat":1,"text":""}');
INSERT INTO "events" VALUES(1,8,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(1,9,'contributed',1,'{"round":2,"start":[21,21,41],"contributions":[21,19,0]}');
INSERT INTO "events" VALUES(1,10,'fund_shared',1,'{"round":2,"carry_in":1,"pot":41,"grown":65,"share":21,"carry_out":2,"balances":[21,23,62]}');
INSERT INTO "events" VALUES(1,11,'punished',1,'{"round":2,"punisher":1,"target":0,"asked":8,"spend":3,"damage":9}');
INSERT INTO "events" VALUES(1,12,'round_ended',1,'{"round":2,"balances":[12,20,62],"carry":2}');
INSERT INTO "events" VALUES(1,13,'message_said',1,'{"round":3,"seat":1,"text":""}');
INSERT INTO "events" VALUES(1,14,'message_said',1,'{"round":3,"seat":2,"text":""}');
INSERT INTO "events" VALUES(1,15,'message_said',1,'{"round":3,"seat":0,"text":"I''ll contribute all 12."}');
INSERT INTO "events" VALUES(1,16,'contributed',1,'{"round":3,"start":[12,20,62],"contributions":[12,14,0]}');
INSERT INTO "events" VALUES(1,17,'fund_shared',1,'{"round":3,"carry_in":2,"pot":28,"grown":44,"share":14,"carry_out":2,"balances":[14,20,76]}');
INSERT INTO "events" VALUES(1,18,'round_ended',1,'{"round":3,"balances":[14,20,76],"carry":2}');
INSERT INTO "events" VALUES(1,19,'game_ended',1,'{"round":3,"balances":[14,20,76],"winners":[2]}');
INSERT INTO "events" VALUES(2,0,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(2,1,'message_said',1,'{"round":1,"seat":1,"text":"I''ll contribute all 20."}');
INSERT INTO "events" VALUES(2,2,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,20,20]}');
INSERT INTO "events" VALUES(2,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":60,"grown":96,"share":32,"carry_out":0,"balances":[32,32,32]}');
INSERT INTO "events" VALUES(2,5,'round_ended',1,'{"round":1,"balances":[32,32,32],"carry":0}');
INSERT INTO "events" VALUES(2,6,'message_said',1,'{"round":2,"seat":0,"text":""}');
INSERT INTO "events" VALUES(2,7,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,8,'message_said',1,'{"round":2,"seat":1,"text":"I''ll contribute all 32."}');
INSERT INTO "events" VALUES(2,9,'contributed',1,'{"round":2,"start":[32,32,32],"contributions":[32,32,19]}');
INSERT INTO "events" VALUES(2,10,'fund_shared',1,'{"round":2,"carry_in":0,"pot":83,"grown":132,"share":44,"carry_out":0,"balances":[44,44,57]}');
INSERT INTO "events" VALUES(2,11,'punished',1,'{"round":2,"punisher":2,"target":0,"asked":4,"spend":4,"damage":12}');
INSERT INTO "events" VALUES(2,12,'punished',1,'{"round":2,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(2,13,'round_ended',1,'{"round":2,"balances":[27,44,38],"carry":0}');
INSERT INTO "events" VALUES(2,14,'message_said',1,'{"round":3,"seat":2,"text":""}');
INSERT INTO "events" VALUES(2,15,'message_said',1,'{"round":3,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(2,16,'message_said',1,'{"round":3,"seat":1,"text":"I''ll contribute all 44."}');
INSERT INTO "events" VALUES(2,17,'contributed',1,'{"round":3,"start":[27,44,38],"contributions":[27,44,3]}');
INSERT INTO "events" VALUES(2,18,'fund_shared',1,'{"round":3,"carry_in":0,"pot":74,"grown":118,"share":39,"carry_out":1,"balances":[39,39,74]}');
INSERT INTO "events" VALUES(2,19,'punished',1,'{"round":3,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(2,20,'punished',1,'{"round":3,"punisher":2,"target":1,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(2,21,'round_ended',1,'{"round":3,"balances":[34,24,54],"carry":1}');
INSERT INTO "events" VALUES(2,22,'game_ended',1,'{"round":3,"balances":[34,24,54],"winners":[2]}');
INSERT INTO "events" VALUES(3,0,'turn_played',1,'{"turn":1,"present":[true,true,true,true],"contributions":[1.0,0.0,0.9,1.0],"lobby":[0.0,0.0,-0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":290.0,"shares":[155.25,65.25,146.25,155.25],"erosion":1.0,"gains":[155.25,165.25,156.25,155.25],"capitals":[155.25,165.25,156.25,155.25],"cooperation":0.725,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,1,'turn_played',1,'{"turn":2,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,8.262500000000001,-7.8125,0.0],"alpha":0.50045,"synergy":1.8,"pot":280.0,"shares":[143.9838,63.05669999999999,143.9838,152.97570000000002],"erosion":1.0,"gains":[153.9838,163.05669999999998,153.9838,152.97570000000002],"capitals":[309.2338,320.0442,302.4213,308.2257],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,2,'vote_held',1,'{"turn":2,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(3,3,'turn_played',1,'{"turn":3,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,16.00221,-15.121065,0.0],"alpha":0.501331145,"synergy":1.8,"pot":280.0,"shares":[143.95207878000002,63.167724269999994,143.95207878000002,152.92811817],"erosion":1.0,"gains":[153.95207878000002,163.16772427,153.95207878000002,152.92811817],"capitals":[463.18587878,467.20971427,441.25231378,461.15381817],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,4,'vote_held',1,'{"turn":3,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(3,5,'turn_played',1,'{"turn":4,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,23.3604857135,-22.062615689,0.0],"alpha":0.5026290150245,"synergy":1.8,"pot":280.0,"shares":[143.905355459118,63.331255893087,143.905355459118,152.858033188677],"erosion":1.0,"gains":[153.905355459118,163.331255893087,153.905355459118,152.858033188677],"capitals":[617.091234239118,607.180484449587,573.095053550118,614.0118513586771],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(3,6,'vote_held',1,'{"turn":4,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(3,7,'game_ended',1,'{"turn":4,"capitals":[617.091234239118,607.180484449587,573.095053550118,614.0118513586771],"winners":[0]}');
INSERT INTO "events" VALUES(4,0,'turn_played',1,'{"turn":1,"present":[true,true,true,true],"contributions":[1.0,0.0,0.9,1.0],"lobby":[0.0,0.0,-0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":290.0,"shares":[155.25,65.25,146.25,155.25],"erosion":1.0,"gains":[155.25,165.25,156.25,155.25],"capitals":[155.25,165.25,156.25,155.25],"cooperation":0.725,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,1,'turn_played',1,'{"turn":2,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,8.262500000000001,-7.8125,0.0],"alpha":0.50045,"synergy":1.8,"pot":280.0,"shares":[143.9838,63.05669999999999,143.9838,152.97570000000002],"erosion":1.0,"gains":[153.9838,163.05669999999998,153.9838,152.97570000000002],"capitals":[309.2338,320.0442,302.4213,308.2257],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,2,'vote_held',1,'{"turn":2,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(4,3,'turn_played',1,'{"turn":3,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,16.00221,-15.121065,0.0],"alpha":0.501331145,"synergy":1.8,"pot":280.0,"shares":[143.95207878000002,63.167724269999994,143.95207878000002,152.92811817],"erosion":1.0,"gains":[153.95207878000002,163.16772427,153.95207878000002,152.92811817],"capitals":[463.18587878,467.20971427,441.25231378,461.15381817],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,4,'vote_held',1,'{"turn":3,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(4,5,'turn_played',1,'{"turn":4,"present":[true,true,true,true],"contributions":[0.9,0.0,0.9,1.0],"lobby":[0.0,23.3604857135,-22.062615689,0.0],"alpha":0.5026290150245,"synergy":1.8,"pot":280.0,"shares":[143.905355459118,63.331255893087,143.905355459118,152.858033188677],"erosion":1.0,"gains":[153.905355459118,163.331255893087,153.905355459118,152.858033188677],"capitals":[617.091234239118,607.180484449587,573.095053550118,614.0118513586771],"cooperation":0.7,"next_synergy":1.8}');
INSERT INTO "events" VALUES(4,6,'vote_held',1,'{"turn":4,"votes":[null,null,null,1]}');
INSERT INTO "events" VALUES(4,7,'game_ended',1,'{"turn":4,"capitals":[617.091234239118,607.180484449587,573.095053550118,614.0118513586771],"winners":[0]}');
INSERT INTO "events" VALUES(5,0,'turn_played',1,'{"turn":1,"present":[true,true,true,true],"contributions":[1.0,0.0,0.9,1.0],"lobby":[0.0,0.0,-0.0,0.0],"alpha":0.5,"synergy":1.8,"pot":290.0,"shares":[155.25,65.25,146.25,155.25],"erosion":1.0,"gains":[155.25,165.25,156.25,155.25],"capitals":[155.25,165.25,156.25,155.25],"cooperation":0.725,"next_synergy":1.8}');
INSERT INTO "events" VALUES(6,0,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(6,1,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(6,2,'message_said',1,'{"round":1,"seat":1,"text":""}');
INSERT INTO "events" VALUES(6,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,4,0]}');
INSERT INTO "events" VALUES(6,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":24,"grown":38,"share":12,"carry_out":2,"balances":[12,28,32]}');
INSERT INTO "events" VALUES(6,5,'punished',1,'{"round":1,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(6,6,'punished',1,'{"round":1,"punisher":2,"target":0,"asked":5,"spend":1,"damage":3}');
INSERT INTO "events" VALUES(6,7,'round_ended',1,'{"round":1,"balances":[4,28,16],"carry":2}');
INSERT INTO "events" VALUES(6,8,'message_said',1,'{"round":2,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(6,9,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(6,10,'message_said',1,'{"round":2,"seat":1,"text":""}');
INSERT INTO "events" VALUES(6,11,'contributed',1,'{"round":2,"start":[4,28,16],"contributions":[4,12,0]}');
INSERT INTO "events" VALUES(6,12,'fund_shared',1,'{"round":2,"carry_in":2,"pot":18,"grown":28,"share":9,"carry_out":1,"balances":[9,25,25]}');
INSERT INTO "events" VALUES(6,13,'punished',1,'{"round":2,"punisher":2,"target":1,"asked":5,"spend":4,"damage":12}');
INSERT INTO "events" VALUES(6,14,'punished',1,'{"round":2,"punisher":0,"target":2,"asked":5,"spend":3,"damage":9}');
INSERT INTO "events" VALUES(6,15,'punished',1,'{"round":2,"punisher":1,"target":0,"asked":9,"spend":1,"damage":3}');
INSERT INTO "events" VALUES(6,16,'round_ended',1,'{"round":2,"balances":[3,12,12],"carry":1}');
INSERT INTO "events" VALUES(6,17,'game_ended',1,'{"round":2,"balances":[3,12,12],"winners":[1,2]}');
INSERT INTO "events" VALUES(7,0,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(7,1,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(7,2,'message_said',1,'{"round":1,"seat":1,"text":""}');
INSERT INTO "events" VALUES(7,3,'contributed',1,'{"round":1,"start":[20,20,20],"contributions":[20,13,0]}');
INSERT INTO "events" VALUES(7,4,'fund_shared',1,'{"round":1,"carry_in":0,"pot":33,"grown":52,"share":17,"carry_out":1,"balances":[17,24,37]}');
INSERT INTO "events" VALUES(7,5,'punished',1,'{"round":1,"punisher":2,"target":0,"asked":5,"spend":2,"damage":6}');
INSERT INTO "events" VALUES(7,6,'punished',1,'{"round":1,"punisher":0,"target":2,"asked":5,"spend":5,"damage":15}');
INSERT INTO "events" VALUES(7,7,'round_ended',1,'{"round":1,"balances":[6,24,20],"carry":1}');
INSERT INTO "events" VALUES(7,8,'message_said',1,'{"round":2,"seat":1,"text":""}');
INSERT INTO "events" VALUES(7,9,'message_said',1,'{"round":2,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(7,10,'message_said',1,'{"round":2,"seat":2,"text":""}');
INSERT INTO "events" VALUES(7,11,'contributed',1,'{"round":2,"start":[6,24,20],"contributions":[6,5,0]}');
INSERT INTO "events" VALUES(7,12,'fund_shared',1,'{"round":2,"carry_in":1,"pot":12,"grown":19,"share":6,"carry_out":1,"balances":[6,25,26]}');
INSERT INTO "events" VALUES(7,13,'punished',1,'{"round":2,"punisher":2,"target":0,"asked":5,"spend":1,"damage":3}');
INSERT INTO "events" VALUES(7,14,'punished',1,'{"round":2,"punisher":0,"target":2,"asked":5,"spend":3,"damage":9}');
INSERT INTO "events" VALUES(7,15,'round_ended',1,'{"round":2,"balances":[0,25,16],"carry":1}');
INSERT INTO "events" VALUES(7,16,'game_ended',1,'{"round":2,"balances":[0,25,16],"winners":[1]}');
INSERT INTO "events" VALUES(8,0,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
INSERT INTO "events" VALUES(8,1,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(8,2,'message_said',1,'{"round":1,"seat":1,"text":""}');
INSERT INTO "events" VALUES(9,0,'message_said',1,'{"round":1,"seat":2,"text":""}');
INSERT INTO "events" VALUES(9,1,'message_said',1,'{"round":1,"seat":1,"text":""}');
INSERT INTO "events" VALUES(9,2,'message_said',1,'{"round":1,"seat":0,"text":"Whoever gives least will pay for it."}');
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
INSERT INTO "experiments" VALUES(1,'punish-1','punishers','punish','2026-11-16T05:42:41+00:00',2,'{"game":"contribute_punish","rules":{"rounds":3,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false},"players":["Cooperator","FreeRider","AltruisticPunisher","RandomGiver"],"seats":3,"games":2,"seed":7}');
INSERT INTO "experiments" VALUES(2,'commons-2','champions','commons','2026-11-16T05:42:42+00:00',3,'{"by":"hand"}');
INSERT INTO "experiments" VALUES(3,'import-3','PGG-Bench','import','2026-11-16T05:42:42+00:00',NULL,'{"source":"logs of PGG-Bench"}');
INSERT INTO "experiments" VALUES(4,'punish-4','with a model','punish','2026-11-16T05:42:42+00:00',4,'{"models":["test:one"]}');
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
	PRIMARY KEY (serial),
	UNIQUE (experiment, "key"),
	UNIQUE (experiment, place),
	UNIQUE (id),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
INSERT INTO "games" VALUES(1,'punish-1.1',1,1,'0','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:42+00:00',3,'0.1.0','contribute_punish','7',0,NULL,'{"rounds":3,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"Cooperator"},{"seat":1,"label":"P2","player":"RandomGiver"},{"seat":2,"label":"P3","player":"FreeRider"}]','[]',NULL);
INSERT INTO "games" VALUES(2,'punish-1.2',1,2,'1','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:42+00:00',3,'0.1.0','contribute_punish','7',1,NULL,'{"rounds":3,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"AltruisticPunisher"},{"seat":1,"label":"P2","player":"Cooperator"},{"seat":2,"label":"P3","player":"RandomGiver"}]','[]',NULL);
INSERT INTO "games" VALUES(3,'commons-2.1',2,1,'0','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:42+00:00',4,'0.1.0','commons','42',0,NULL,'{"endowment":100.0,"duration":100,"turns":4,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"TitForTat"},{"seat":1,"label":"P2","player":"Parasite"},{"seat":2,"label":"P3","player":"Capitaliste"},{"seat":3,"label":"P4","player":"Justicier"}]','[]',NULL);
INSERT INTO "games" VALUES(4,'commons-2.2',2,2,'1','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:42+00:00',4,'0.1.0','commons','42',1,NULL,'{"endowment":100.0,"duration":100,"turns":4,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"TitForTat"},{"seat":1,"label":"P2","player":"Parasite"},{"seat":2,"label":"P3","player":"Capitaliste"},{"seat":3,"label":"P4","player":"Justicier"}]','[]',NULL);
INSERT INTO "games" VALUES(5,'commons-2.3',2,3,'2','playing','2026-11-16T05:42:42+00:00',NULL,NULL,'0.1.0','commons','42',2,NULL,'{"endowment":100.0,"duration":100,"turns":4,"alpha":0.5,"lobbying":true,"sensitivity":0.001,"erosion":true,"erosion_intensity":1.0,"voting":true,"synergy":1.8,"synergy_lowest":1.2,"synergy_highest":3.0,"golden_age_from":0.8,"growth":0.1,"erosion_below":0.5,"shrinkage":0.05}','[{"seat":0,"label":"P1","player":"TitForTat"},{"seat":1,"label":"P2","player":"Parasite"},{"seat":2,"label":"P3","player":"Capitaliste"},{"seat":3,"label":"P4","player":"Justicier"}]','[]',NULL);
INSERT INTO "games" VALUES(6,'import-3.1',3,1,'0000000000000001','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:42+00:00',2,'0.1.0','contribute_punish',NULL,0,'invented_log.jsonl','{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"model-a"},{"seat":1,"label":"P2","player":"model-b"},{"seat":2,"label":"P3","player":"model-c"}]','[{"purpose":"speaking","turn":1,"seats":[2,0,1]},{"purpose":"settling","turn":1,"seats":[0,2]},{"purpose":"speaking","turn":2,"seats":[0,2,1]},{"purpose":"settling","turn":2,"seats":[2,0,1]}]',NULL);
INSERT INTO "games" VALUES(7,'punish-4.1',4,1,'0','finished','2026-11-16T05:42:42+00:00','2026-11-16T05:42:43+00:00',2,'0.1.0','contribute_punish','1',0,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"AltruisticPunisher"},{"seat":1,"label":"P2","player":"RandomGiver"},{"seat":2,"label":"P3","player":"AntisocialPunisher"}]','[]',NULL);
INSERT INTO "games" VALUES(8,'punish-4.2',4,2,'1','void','2026-11-16T05:42:43+00:00','2026-11-16T05:42:43+00:00',1,'0.1.0','contribute_punish','2',0,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"AltruisticPunisher"},{"seat":1,"label":"P2","player":"RandomGiver"},{"seat":2,"label":"P3","player":"AntisocialPunisher"}]','[]','"seat P2 gave no legal answer in round 1"');
INSERT INTO "games" VALUES(9,'punish-4.3',4,3,'2','playing','2026-11-16T05:42:43+00:00',NULL,NULL,'0.1.0','contribute_punish','3',0,NULL,'{"rounds":2,"start":20,"multiplier":1.6,"messages":true,"message_words":50,"message_rounds":5,"punishment":true,"ratio":3,"max_spend":10,"max_fraction":0.5,"max_absolute":100,"anonymous":false}','[{"seat":0,"label":"P1","player":"AltruisticPunisher"},{"seat":1,"label":"P2","player":"RandomGiver"},{"seat":2,"label":"P3","player":"AntisocialPunisher"}]','[]',NULL);
CREATE TABLE meta (
	schema_version INTEGER NOT NULL,
	revision BIGINT NOT NULL,
	PRIMARY KEY (schema_version)
);
INSERT INTO "meta" VALUES(2,59);
CREATE TABLE runs (
	experiment INTEGER NOT NULL,
	number INTEGER NOT NULL,
	at TEXT NOT NULL,
	settings TEXT NOT NULL,
	PRIMARY KEY (experiment, number),
	FOREIGN KEY(experiment) REFERENCES experiments (serial)
);
INSERT INTO "runs" VALUES(2,1,'2026-11-16T05:42:42+00:00','{"at_once":2}');
INSERT INTO "runs" VALUES(4,1,'2026-11-16T05:42:42+00:00','{"budget":5.0}');
INSERT INTO "runs" VALUES(4,2,'2026-11-16T05:42:42+00:00','{"budget":6.0}');
CREATE TABLE texts (
	digest TEXT NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (digest)
);
INSERT INTO "texts" VALUES('87101522e7cda922bd1d094e99abaed1','"These are the rules of an invented game."');
INSERT INTO "texts" VALUES('bf8e5d7ec9e71344f3a11f0369f94430','"question 2"');
INSERT INTO "texts" VALUES('885d491105110b1c705acfd135317240','"{\"requested\":{\"temperature\":0.3,\"max_tokens\":1000},\"effective\":{\"model\":\"one-2026\"}}"');
INSERT INTO "texts" VALUES('6679fe990197fd45b923f40f2d5f0cd3','"question 4"');
INSERT INTO "texts" VALUES('efc4dbc9158e3395159773212a3ae1fd','"question 7"');
INSERT INTO "texts" VALUES('88c907bdc4f8c2c88600ba5eb0b13f46','"question 9"');
INSERT INTO "texts" VALUES('235e15cc693c4ee62373e4a73b1ba836','"question 13"');
INSERT INTO "texts" VALUES('7d4a786fe9e2188e95d991f79bedf1d4','"question 16"');
INSERT INTO "texts" VALUES('19674b3e7c957f0c2aaf2deccf3b73e5','"question 1"');
CREATE INDEX games_by_key ON games ("key");
CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens, latency, cost, reserved);
COMMIT;
