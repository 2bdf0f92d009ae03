-- The game database, version 1. The words in braces differ between SQLite and PostgreSQL.

CREATE TABLE meeple (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
);

-- What matches are part of; the empty name is for matches of their own.
CREATE TABLE experiments (
    name TEXT PRIMARY KEY,
    added TEXT NOT NULL DEFAULT {now}
);

CREATE TABLE matches (
    id {id},
    experiment TEXT NOT NULL REFERENCES experiments (name),
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    agents TEXT NOT NULL,
    seed TEXT NOT NULL,
    added TEXT NOT NULL DEFAULT {now},
    UNIQUE (game, rules, agents, seed, experiment)
);

CREATE TABLE games (
    id {id},
    match_id BIGINT REFERENCES matches (id),
    number BIGINT,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    random TEXT,
    reason TEXT,
    length BIGINT NOT NULL,
    meeple_version TEXT,
    rules_version BIGINT,
    given TEXT NOT NULL,
    added TEXT NOT NULL DEFAULT {now},
    UNIQUE (match_id, number)
);

CREATE INDEX games_by_name ON games (game);

CREATE TABLE seats (
    game_id BIGINT NOT NULL REFERENCES games (id),
    seat BIGINT NOT NULL,
    agent TEXT,
    payoff {real},
    score {real},
    result TEXT,
    PRIMARY KEY (game_id, seat)
){clustered};

CREATE INDEX seats_by_agent ON seats (agent);

CREATE TABLE decisions (
    game_id BIGINT NOT NULL REFERENCES games (id),
    ply BIGINT NOT NULL,
    seat BIGINT,
    action TEXT NOT NULL,
    milliseconds {real},
    iterations BIGINT,
    search TEXT,
    PRIMARY KEY (game_id, ply)
){clustered};

-- Every decision of a player with who made it and where its randomness comes from.
CREATE VIEW moves AS
SELECT d.game_id, d.ply, d.seat, s.agent, d.action, d.milliseconds, d.iterations, d.search,
       g.random, g.game, g.rules, g.match_id, g.number, s.payoff, s.score, s.result
FROM decisions d
JOIN games g ON g.id = d.game_id
JOIN seats s ON s.game_id = d.game_id AND s.seat = d.seat;

-- How each agent did in each match, over its seats in finished games.
CREATE VIEW results AS
SELECT m.experiment, g.match_id, m.game, m.rules, m.seed, s.agent,
       COUNT(DISTINCT g.id) AS games,
       COUNT(*) AS seats,
       SUM(CASE WHEN s.result = 'win' THEN 1 ELSE 0 END) AS wins,
       SUM(CASE WHEN s.result = 'draw' THEN 1 ELSE 0 END) AS draws,
       SUM(CASE WHEN s.result = 'loss' THEN 1 ELSE 0 END) AS losses,
       AVG(CASE WHEN s.result = 'win' THEN 1.0 ELSE 0.0 END) AS win_rate,
       AVG(s.payoff) AS payoff,
       AVG(s.score) AS score
FROM seats s
JOIN games g ON g.id = s.game_id
JOIN matches m ON m.id = g.match_id
WHERE s.result IS NOT NULL
GROUP BY m.experiment, g.match_id, m.game, m.rules, m.seed, s.agent;

INSERT INTO experiments (name) VALUES ('');
INSERT INTO meeple (key, value) VALUES ('schema', '1');
