/** Numbers by the name of a sample, which has its labels: `requests_total{kind="send",status="2xx"}`. */
export type Counts = Record<string, number>

interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
}

/** Figures of an organization that only grow. Its object counts them, or a Worker, which tells the object with its next call. */
const COUNTERS = {
  requests_total: 'Requests that Workers answered, by kind and class of status.',
  object_requests_total: 'Requests that reached the realm object, alarms included.',
  object_rows_total: 'Rows that the realm object read or wrote, as the platform bills them.',
  object_awake_seconds_total: 'Seconds that the realm object was awake, as the platform bills them.',
  d1_rows_total: 'Rows that the realm object read or wrote in D1.',
  messages_sent_total: 'Messages sent.',
  events_delivered_total: 'Events handed to clients.',
  logins_total: 'Log-ins, by outcome.',
  rate_limit_refusals_total: 'Requests refused by a rate limit.',
  deliveries_total: 'Tries to deliver mail, notifications, webhooks and previews, by outcome.',
  jobs_total: 'Runs of jobs, by outcome.',
  file_operations_total: 'Requests that read or wrote files in R2.',
} as const

/** Figures of an organization at the time when they were noted. */
const GAUGES = {
  noted_timestamp_seconds: 'When the object of the organization last noted its figures.',
  accounts: 'Accounts of people and bots.',
  queues: 'Registered event queues.',
  waiting_clients: 'Clients that wait for events: held in the object, parked on a socket, or on a stream.',
  d1_outbox_entries: 'Entries of the log that D1 may lack.',
  d1_outbox_bytes: 'Bytes of the writes that D1 may lack.',
  d1_outbox_age_seconds: 'Age of the oldest write that D1 lacks.',
  d1_failing: '1 while D1 does not take the writes of the organization.',
  dead_letters: 'Work that was given up, by kind.',
  jobs_due: 'Jobs that should have begun.',
  jobs_overdue_seconds: 'How late the oldest of them is.',
  storage_bytes: 'Bytes in the store of the object, and of files.',
  month_dollars: 'What the organization has cost this month at list prices.',
  deployment_month_dollars: 'The same of all organizations, where they have a common cap.',
} as const

const HISTOGRAMS = {
  request_seconds: 'Time until the answer began, without the time that a poll was held.',
  delivery_seconds: 'Time that a try to deliver took.',
} as const

/** Figures of the deployment, read at a scrape. */
const OF_DEPLOYMENT = {
  info: 'Always 1; the label is the version.',
  organizations: 'Organizations of the deployment.',
  organizations_noted: 'Those of them whose figures are here.',
  d1_bytes: 'Bytes of each D1 database.',
} as const

export type CounterName = keyof typeof COUNTERS
export type GaugeName = keyof typeof GAUGES | keyof typeof OF_DEPLOYMENT
export type HistogramName = keyof typeof HISTOGRAMS

/** Every metric, by its name without the prefix. */
export const METRICS: ReadonlyMap<string, Metric> = new Map([
  ...typed('gauge', OF_DEPLOYMENT),
  ...typed('gauge', GAUGES),
  ...typed('counter', COUNTERS),
  ...typed('histogram', HISTOGRAMS),
])

function typed(type: Metric['type'], helps: Readonly<Record<string, string>>): [string, Metric][] {
  return Object.entries(helps).map(([name, help]) => [name, { type, help }])
}

/** Whether a sample is of a gauge. */
export function isGauge(name: string): boolean {
  return METRICS.get(name.split('{', 1)[0]!)?.type === 'gauge'
}

type Labels = Readonly<Record<string, string>>

/** Returns the name of a sample. */
export function sample(
  name: CounterName | GaugeName | `${HistogramName}_${'bucket' | 'sum'}`,
  labels?: Labels,
): string {
  if (!labels) return name
  const written = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  return `${name}{${written.join(',')}}`
}

export function addCounts(to: Counts, counts: Readonly<Counts>): void {
  for (const name in counts) addCount(to, name, counts[name]!)
}

export function addCount(to: Counts, name: string, count: number): void {
  to[name] = (to[name] ?? 0) + count
}

/** Upper ends of the buckets of all histograms, in seconds. A page of messages takes 0.16 s from far away, a push some tenths. */
export const BUCKETS = [0.05, 0.1, 0.2, 0.3, 0.5, 1, 2, 5, 10, Number.POSITIVE_INFINITY] as const

/** The names of a histogram's samples. */
interface HistogramSamples {
  /** By the bucket, as BUCKETS has them. */
  readonly buckets: readonly string[]
  readonly sum: string
}

export function histogramSamples(name: HistogramName, labels: Labels): HistogramSamples {
  return {
    buckets: BUCKETS.map((end) => sample(`${name}_bucket`, { ...labels, le: leOf(end) })),
    sum: sample(`${name}_sum`, labels),
  }
}

/** Adds a duration to a histogram. Each bucket has its own durations alone, unlike in Prometheus' text, so that two samples change. */
export function observe(counts: Counts, { buckets, sum }: HistogramSamples, seconds: number): void {
  addCount(counts, buckets[BUCKETS.findIndex((end) => seconds <= end)]!, 1)
  addCount(counts, sum, seconds)
}

/** Returns the end of a bucket as its label has it. */
export function leOf(end: number): string {
  return Number.isFinite(end) ? String(end) : '+Inf'
}
