/** What goes to D1 at once, and how full a database may become (docs/reliability.md). */

/** Entries of the log that go to D1 in one batch; their writes are parsed together. */
export const D1_BATCH_ENTRIES = 500

/**
 * Bytes of writes, as JSON, that are prepared at a time for D1, some 20 ms a megabyte, most of it for the words of the search index. Of
 * ordinary messages as many as `D1_BATCH_ENTRIES` have less. A single longer entry is prepared alone.
 */
export const D1_BATCH_BYTES = 1_000_000

/**
 * Writes that are parsed at a time for D1, some 10 µs each: the deletion of a long topic leaves a hundred thousand short ones in the
 * log, of which the bytes alone would allow 80,000. The last entry may have more.
 */
export const D1_BATCH_WRITES = 1_000

/**
 * Deleted texts of one batch, plus those of one entry. A merge of the search index that is under way goes on in the same transaction, a
 * few pages for each: up to 0.7 s of processor for a thousand, 0.13 for these, in which D1 answers nobody.
 */
export const D1_BATCH_DELETIONS = 250

/** Statements of one batch. D1 allows 1,000 queries an invocation (50 on the free plan), and 30 s for a batch. */
export const D1_BATCH_STATEMENTS = 40

/**
 * Milliseconds between a run of the projection and the next, unless somebody waits for it: what is written meanwhile stays in the tail,
 * and goes to D1 in one batch. A message that comes alone goes at once.
 */
export const D1_REST_MS = 200

/** Statements that one run of the projection sends; the alarm goes on with the rest, with queries of its own. */
export const D1_RUN_STATEMENTS = 400

/** The fraction of what a database of D1 may have, from which on the log and the state warn about it. */
export const D1_NEARLY_FULL = 0.9

/**
 * The fraction from which on it gets no new or edited texts, so that deletions, and what organizations have sent already, have
 * room: all of them share it.
 */
export const D1_FULL = 0.95

/**
 * The fraction from which on a database that is left behind by a newer one gets no edited texts either. It gets no new ones, so what
 * the room above `D1_FULL` is for is mostly edits.
 */
export const D1_FULL_FOR_EDITS = 0.98

/** Seconds after which a full database is measured again, if somebody wants to send. */
export const LOOK_AT_FULL_D1_SECONDS = 10

/**
 * Entries that D1 has refused for good and that are kept aside; above the limit the projection waits as in an
 * outage.
 */
export const REFUSED_ENTRIES = 1_000

/**
 * Scheduled runs of a night, by the crons of wrangler.toml. Each does its part of the night's work, so that none has to know of the
 * others, and has queries of its own.
 */
export const RUNS_OF_A_NIGHT = 12

/**
 * Milliseconds after which a call of D1 that is not answered counts as failed. D1 itself ends a query after 30 s; a call that never ends
 * would hold up everything that waits for D1.
 */
export const D1_ANSWER_MS = 35_000
