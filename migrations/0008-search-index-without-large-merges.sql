-- Nothing is merged in the transaction that deletes: where a tenth of a part of the index was deleted, that took D1 up to 0.7 s, and
-- more work in all than the nightly job (src/d1/purge-search-index.ts), which merges what has deletions some pages at a time.
INSERT INTO message_search (message_search, rank) VALUES ('deletemerge', 0);
