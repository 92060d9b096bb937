/** Step `erasures`: the people who were erased, with what was removed: no name and no address. */
export const ERASURES: readonly string[] = [
  // accounts: JSON list of ids, the person's first, then those of their bots. asked_by: NULL where a list of erased people was applied to a
  // restored organization. messages: 'keep' or 'remove'. finished_at: when nothing was left. listed_at: when the stores of backups had it in their
  // lists. removed: JSON, numbers by what was removed (model/erasure/erase-next.ts). Times: UNIX seconds with fraction.
  `CREATE TABLE erasure (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL,
    accounts TEXT NOT NULL,
    asked_by INTEGER,
    asked_at REAL NOT NULL,
    messages TEXT NOT NULL,
    finished_at REAL,
    listed_at REAL,
    removed TEXT NOT NULL DEFAULT '{}'
  )`,
]
