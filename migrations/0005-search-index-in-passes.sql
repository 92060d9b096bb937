-- Two parts of the index are enough for them to be merged on request (src/d1/purge-search-index.ts): what was written while a
-- large merge is under way must not keep that from going on.
INSERT INTO message_search (message_search, rank) VALUES ('usermerge', 2);
