import { env } from 'cloudflare:workers'
import { laggingCopy } from './copies-of-d1.ts'
import type { CrashPoint, Environment, SchemaStep } from './inside-types.ts'
import { shakyD1 } from './shaky-d1.ts'

/** Intercepts calls of D1: it may delay a call, fail it, or lose its answer. `name`: the database's binding. */
export type D1Interceptor = <Answer>(
  call: () => Promise<Answer>,
  kind: 'read' | 'batch',
  name?: string,
) => Promise<Answer>

export interface D1Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** A copy of D1 that may answer reads that allow for copies. It may be behind. */
export interface CopyOfD1 {
  /** `now` reads D1 itself. */
  read<Answer>(
    question: D1Statement & {
      /** The binding of the database that it copies. */
      readonly database: string
      readonly method: 'first' | 'all' | 'run'
      readonly now: () => Promise<Answer>
    },
  ): Promise<Answer>
}

/** Intercepts RPCs to the realm objects: it may fail one, before or after it was executed. */
export type RealmInterceptor = <Answer>(
  call: () => Promise<Answer>,
  kind: 'run' | 'found' | 'fetch',
) => Promise<Answer>

/** Intercepts calls to the objects that hash passwords. */
export type HasherInterceptor = <Answer>(
  call: () => Promise<Answer>,
  method: 'reserve' | 'hash' | 'verify' | 'reservePicture' | 'fitInside' | 'cropSquare',
) => Promise<Answer | null>

/** Called before each statement of an object's SQLite, and before its alarm is set; it may throw. */
export type StorageInterceptor = (call: 'read' | 'write' | 'alarm') => void

/** Intercepts calls of R2, like `D1Interceptor`. */
export type StoreInterceptor = <Answer>(call: () => Promise<Answer>, method: string) => Promise<Answer>

/** The outcome of a due alarm: it runs once, twice or later, or the platform drops it. */
export type AlarmInterceptor = (run: () => Promise<void>) => Promise<void>

export interface World {
  /** Seconds added to the realm objects' clock. */
  clockOffset: number
  /** A step at which a realm object is stopped, once. */
  crashAt: CrashPoint | undefined
  /** Decides whether a realm object is stopped at a step, beside `crashAt`, or when D1 has answered it. */
  stopsAt: (point: CrashPoint | `D1 ${'read' | 'batch'}`) => boolean
  /** A step at which a realm object throws an unexpected error, once. */
  bugAt: CrashPoint | undefined
  /** Whether rate limits are counted. */
  limited: boolean
  /** Milliseconds for which a queue is busy after a delivery; undefined: the real time. */
  busyQueueMs: number | undefined
  /** Milliseconds between batches for D1; undefined: the real time. */
  d1RestMs: number | undefined
  /** Milliseconds of quiet after which usage is saved; undefined: only when a test does. */
  usageQuietMs: number | undefined
  /** The minimum number of seconds that a poll is held before its heartbeat. */
  pollHoldSeconds: number
  d1: D1Interceptor
  /** The copy that answers reads; undefined: D1 answers all itself. */
  copy: CopyOfD1 | undefined
  /** Called with the statements that D1 executed, in their order. `name`: the database's binding. */
  wrote: (statements: readonly D1Statement[], name: string) => void
  reach: RealmInterceptor
  hasher: HasherInterceptor
  storage: StorageInterceptor
  /** The size in bytes that a realm object assumes for its database; undefined: the real size. */
  databaseSize: number | undefined
  /** Steps of the schema that a newer build has beside those of this one. */
  furtherSteps: readonly SchemaStep[]
  store: StoreInterceptor
  alarm: AlarmInterceptor
  /** Whether there is a bucket of files, for objects that wake from now on. */
  hasBucket: boolean
  /** Whether the store of files fails. */
  storeIsDown: boolean
  /** The number of databases for texts bound besides `DB`, for objects that wake from now on. At most three. */
  bodyDatabases: number
  /** Whether there is a service that sends mail. */
  sendsMail: boolean
  /** Settings of the environment, as a deployment would have them. */
  settings: Readonly<Record<string, string>>
  /** Bindings that only some deployments have. */
  bindings: Pick<Environment, 'ASSETS' | 'SEND_EMAIL' | 'IMAGES'>
  /** Whether `npm run test:evict` evicts objects; off where a test is about what an object keeps in memory. */
  evictable: boolean
  /** Whether a test's alarm waits for the work that it started. */
  alarmsWait: boolean
  /** Whether the platform keeps objects in jurisdictions. */
  hasJurisdictions: boolean
  /** The region requested from the platform for the object that was called last. */
  lastHint: string | undefined
  /** The number of polls that sleep on sockets, counted once the Worker has the socket. */
  pollsHeld: number
  /**
   * Makes every RPC to a realm object a rehearsal: it is executed and rolled back. A request that would have
   * succeeded is refused with the code REHEARSED.
   */
  rehearses: boolean
  /** The version of the interface that objects of another build understand; undefined: the Worker's. */
  interfaceVersion: number | undefined
  /** The differences between the memory of objects and the store (compared-memory.ts). */
  readonly memoryDiffers: string[]
  /**
   * The highest id of the organizations of finished test files, whose alarms do nothing, since their mail would reach the world of another
   * file's test.
   */
  lastOfEndedFiles: number
}

const ORDINARY: Omit<World, 'lastOfEndedFiles'> = {
  clockOffset: 0,
  crashAt: undefined,
  stopsAt: () => false,
  bugAt: undefined,
  limited: false,
  busyQueueMs: undefined,
  d1RestMs: undefined,
  usageQuietMs: undefined,
  pollHoldSeconds: 10,
  d1: env.D1 === 'shaky' ? shakyD1 : (call) => call(),
  copy: env.D1 === 'shaky' ? laggingCopy : undefined,
  wrote: (statements, name) => env.D1 === 'shaky' && laggingCopy.wrote(statements, name),
  reach: (call) => call(),
  hasher: (call) => call(),
  storage: () => {},
  databaseSize: undefined,
  furtherSteps: [],
  store: (call) => call(),
  alarm: (run) => run(),
  hasBucket: true,
  storeIsDown: false,
  bodyDatabases: Number(env.BODY_DATABASES ?? 0),
  sendsMail: true,
  settings: {},
  bindings: {},
  evictable: true,
  alarmsWait: true,
  hasJurisdictions: false,
  lastHint: undefined,
  pollsHeld: 0,
  rehearses: false,
  interfaceVersion: undefined,
  memoryDiffers: [],
}

/**
 * The environment of the server, which tests can change: they run in the same isolate as the Worker and its objects.
 * It is reset after each test.
 */
export const world: World = { ...ORDINARY, lastOfEndedFiles: 0 }

// The Worker is a bundle of its own, which finds the world here (vitest.config.ts).
Object.assign(globalThis, { parleyWorld: world })

export function resetWorld(): void {
  Object.assign(world, ORDINARY)
}
