/** Durations in seconds, the unit of the API's timestamps. */
export const MINUTE = 60
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const WEEK = 7 * DAY

/**
 * Scheduled runs of a night, by the crons of wrangler.toml. Each does its part of the night's work, so that none has to know of the
 * others, and has queries of its own.
 */
export const RUNS_OF_A_NIGHT = 12

/**
 * Seconds by which a time may be ahead of that of a request: others are answered while it waits. One that is further ahead is of a clock that has been
 * set back since.
 */
export const OVERTAKEN_SECONDS = 60
