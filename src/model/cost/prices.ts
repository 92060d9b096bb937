/** What a unit costs beyond what the plan includes for the whole account. */
interface Price {
  readonly unit: string
  readonly included: number
  /** Dollars for a million more. */
  readonly perMillion: number
}

/** The day on which the prices were read in Cloudflare's documentation: Workers, Durable Objects, D1, R2 and Email Sending, plan of $5 a month. */
export const PRICES_OF = '2026-11-30'

export const PLAN_DOLLARS = 5

/** Prices by kind of use. Storage counts for a month, and stored megabytes cost by the million as the rest does. */
export const PRICES = {
  workerRequests: { unit: 'requests to the Worker', included: 10e6, perMillion: 0.3 },
  cpuMs: { unit: 'ms of CPU of the Worker', included: 30e6, perMillion: 0.02 },
  objectRequests: { unit: 'requests to the object', included: 1e6, perMillion: 0.15 },
  gbSeconds: { unit: 'GB-s that the object is awake', included: 400_000, perMillion: 12.5 },
  rowsRead: { unit: 'rows read, in the object', included: 25e9, perMillion: 0.001 },
  rowsWritten: { unit: 'rows written, in the object', included: 50e6, perMillion: 1 },
  d1Read: { unit: 'rows read, in D1', included: 25e9, perMillion: 0.001 },
  d1Written: { unit: 'rows written, in D1', included: 50e6, perMillion: 1 },
  fileReads: { unit: 'files read in R2', included: 10e6, perMillion: 0.36 },
  fileWrites: { unit: 'files written to R2', included: 1e6, perMillion: 4.5 },
  mails: { unit: 'mails that Cloudflare sends', included: 3_000, perMillion: 350 },
  objectMegabytes: { unit: 'MB stored in the object', included: 5_000, perMillion: 200 },
  d1Megabytes: { unit: 'MB stored in D1', included: 5_000, perMillion: 750 },
  fileMegabytes: { unit: 'MB stored in R2', included: 10_000, perMillion: 15 },
} as const satisfies Record<string, Price>

export type UseKind = keyof typeof PRICES

/** Gigabytes that an object has in memory, as the platform counts them while it is awake. */
export const OBJECT_GB = 0.128

/** Milliseconds of the Worker's processor time for a request. They are assumed, since a Worker cannot measure them. */
export const CPU_MS = 1
