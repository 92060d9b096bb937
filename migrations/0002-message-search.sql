-- Trigrams of the messages' source (core/search-text.ts). The text itself is not stored a second time.
-- rowid = realm * 2^32 + message.
CREATE VIRTUAL TABLE message_search USING fts5(
  text, content = '', contentless_delete = 1, tokenize = 'trigram'
);
