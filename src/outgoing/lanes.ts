import { JOB_KINDS, type JobKind } from '../core/job-kinds.ts'

/**
 * One kind of work that no request waits for (docs/decisions/design.md#everything-has-a-limit). Work waits only for its own lane, which
 * has its own jobs, connections and pauses.
 */
export interface Lane {
  /** Number of jobs, or calls to other servers, under way at a time. */
  readonly atOnce: number
  /** Number of jobs, or calls to other servers, that one turn begins, since some end within it. */
  readonly jobsPerSlice: number
  /** Seconds of a run's lease. A run that takes longer has failed. */
  readonly leaseSeconds: number
  /** Milliseconds for one call to another server, answer included. Absent: it calls only D1 and R2. */
  readonly callTimeoutMs?: number
  /** Number of tries of one job, or of one delivery. Infinity: until it is done. */
  readonly tries: number
  /** Seconds of the pause after the first failed try. Each further pause is `growth` times as long, up to the longest. */
  readonly firstPauseSeconds: number
  readonly growth: number
  readonly maxPauseSeconds: number
  /** What becomes of work that has used up its tries. */
  readonly end: 'dead letter' | 'never'
}

const USUAL = {
  atOnce: 1,
  jobsPerSlice: 10,
  leaseSeconds: 60,
  tries: Number.POSITIVE_INFINITY,
  firstPauseSeconds: 5,
  growth: 2,
  maxPauseSeconds: 600,
  end: 'never',
} as const

/**
 * The lanes of outgoing work. Together they make at most six calls to other servers at a time, as many as the platform opens for an
 * object. At most three of them are to addresses that users choose, of up to ten seconds each; a conversation with a mail server takes up
 * to half a minute.
 */
export const LANES = {
  /** Messages for later. Each has a turn of its own, since rendering may fill it. A failed one is marked, and its author is told. */
  deliveries: {
    ...USUAL,
    jobsPerSlice: 1,
    tries: 12,
    end: 'dead letter',
  },
  /** Invitations, links for passwords, missed messages, digests. 24 tries take two and a half days. */
  mail: {
    ...USUAL,
    jobsPerSlice: 5,
    // Reading missed messages may wait for D1, and a conversation with a mail server takes time.
    leaseSeconds: 120,
    callTimeoutMs: 10_000,
    tries: 24,
    firstPauseSeconds: 30,
    maxPauseSeconds: 14_400,
    end: 'dead letter',
  },
  /** Notifications on devices, which are useless when they are old: 32 tries take almost a day. */
  push: {
    ...USUAL,
    leaseSeconds: 120,
    callTimeoutMs: 10_000,
    tries: 32,
    maxPauseSeconds: 3_600,
    end: 'dead letter',
  },
  /** Registrations of devices for encrypted notifications. After a day the user is told that it has failed. */
  registrations: {
    ...USUAL,
    leaseSeconds: 30,
    callTimeoutMs: 10_000,
  },
  /** Outgoing webhooks: one call of a bot at a time. Its owner is told of failures. */
  webhooks: {
    ...USUAL,
    atOnce: 2,
    callTimeoutMs: 10_000,
    tries: 3,
    growth: 4,
    end: 'dead letter',
  },
  /** Websites that messages link to: the pages of a message one after the other, five seconds each at most. */
  previews: {
    ...USUAL,
    callTimeoutMs: 5_000,
    tries: 3,
    growth: 4,
    end: 'dead letter',
  },
  /** An archive, a second and a half at a time. After eight runs without progress it is marked as failed. */
  exports: { ...USUAL, leaseSeconds: 60 },
  /** An import, a second and a half at a time. After eight runs without progress it has failed. */
  imports: { ...USUAL, leaseSeconds: 60 },
  /** A backup, a second and a half at a time, or one large file. After eight runs without progress it has failed. */
  backups: { ...USUAL, leaseSeconds: 900 },
  retention: { ...USUAL, leaseSeconds: 300 },
  files: { ...USUAL },
  /** Bodies and the search index for D1. */
  projection: { ...USUAL, atOnce: 4, leaseSeconds: 300 },
  /** The end of a closed organization. The deletion that follows is no longer a job (realm/delete-organization.ts). */
  deletion: { ...USUAL },
  /** Changes that their requests have left unfinished: as long a run as a request, which the readers of a commit may lengthen. */
  changes: { ...USUAL, atOnce: 4, jobsPerSlice: 1, leaseSeconds: 120 },
  /** Upkeep of the object itself. */
  upkeep: {
    ...USUAL,
    // A run of some of these fills a turn.
    jobsPerSlice: 1,
  },
} as const satisfies Record<string, Lane>

export type LaneName = keyof typeof LANES
export const LANE_NAMES = Object.keys(LANES) as readonly LaneName[]

const KINDS: Readonly<Record<JobKind, { readonly lane: LaneName }>> = JOB_KINDS
const KINDS_OF_LANE = Map.groupBy(Object.keys(KINDS) as JobKind[], (kind) => KINDS[kind].lane)

export function kindsOf(lane: LaneName): readonly JobKind[] {
  return KINDS_OF_LANE.get(lane) ?? []
}

/** Returns the lane of a kind of job; undefined for a kind of a newer build that was rolled back. */
export function laneOf(kind: string): LaneName | undefined {
  return Object.hasOwn(KINDS, kind) ? KINDS[kind as JobKind].lane : undefined
}

/**
 * Returns the seconds until a job is retried after this number of tries. `random` (0 to 1) takes off up to a quarter, so that jobs that
 * failed together are not retried together.
 */
export function pauseAfter(
  { firstPauseSeconds, growth, maxPauseSeconds }: Lane,
  tries: number,
  random: number,
): number {
  const pause = Math.min(firstPauseSeconds * growth ** (tries - 1), maxPauseSeconds)
  return pause * (1 - random / 4)
}
