-- Two parts of the index are enough to be merged on request (src/d1/purge-search-index.ts): new text that is written during a
-- large merge must not stop the merge.
INSERT INTO message_search (message_search, rank) VALUES ('usermerge', 2);
