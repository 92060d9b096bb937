-- What each organization's object has last said of its usage and state, so that a scrape of GET /metrics wakes no object. It writes the row at
-- most once a minute, while it is awake anyway.
CREATE TABLE organization_usage (
  realm_id INTEGER PRIMARY KEY,
  -- UNIX seconds.
  noted_at INTEGER NOT NULL,
  -- JSON: numbers by the names of src/core/metrics.ts, all of them since the organization was first counted.
  figures TEXT NOT NULL
);
