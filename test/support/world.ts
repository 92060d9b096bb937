import { env } from 'cloudflare:workers'
import type { CrashPoint } from '../../src/realm/runtime.ts'
import { laggingCopy } from './copies-of-d1.ts'
import { shakyD1 } from './shaky-d1.ts'

/** Stands between the server and D1: it may delay a call, fail it, or lose its answer. `name`: the database's binding. */
export type D1Interceptor = <Answer>(
  call: () => Promise<Answer>,
  kind: 'read' | 'batch',
  name?: string,
) => Promise<Answer>

export interface D1Statement {
  readonly sql: string
  readonly values: readonly unknown[]
}

/** A copy of D1, of which reads may be answered that allow for it. It may be behind. */
export interface CopyOfD1 {
  /** `now` is what D1 itself says. */
  read<Answer>(
    question: D1Statement & {
      /** Of which it is a copy, as that is bound. */
      readonly database: string
      readonly method: 'first' | 'all' | 'run'
      readonly now: () => Promise<Answer>
    },
  ): Promise<Answer>
}

/** Stands between the Worker and the realm objects: it may fail a call, before or after it was made. */
export type RealmInterceptor = <Answer>(
  call: () => Promise<Answer>,
  kind: 'run' | 'found' | 'fetch',
) => Promise<Answer>

/** Stands between the server and R2, as `D1Interceptor`. */
export type StoreInterceptor = <Answer>(call: () => Promise<Answer>, method: string) => Promise<Answer>

/** What becomes of an alarm that goes off: it runs, twice, later, or the platform gives it up. */
export type AlarmInterceptor = (run: () => Promise<void>) => Promise<void>

export interface World {
  /** Seconds added to the realm objects' clock. */
  clockOffset: number
  /** Stops a realm object at its next step of this name, once. */
  crashAt: CrashPoint | undefined
  /** Whether a realm object is stopped at a step, beside `crashAt`, or when D1 has answered it. */
  stopsAt: (point: CrashPoint | `D1 ${'read' | 'batch'}`) => boolean
  /** Throws what no code is prepared for at a realm object's next step of this name, once. */
  bugAt: CrashPoint | undefined
  /** Whether rate limits are counted. */
  limited: boolean
  /** For how long a queue is busy after a delivery; undefined: as it is. */
  busyQueueMs: number | undefined
  /** At least how long a poll is held before its heartbeat. */
  pollHoldSeconds: number
  d1: D1Interceptor
  /** Undefined: what a copy may answer D1 answers itself. */
  copy: CopyOfD1 | undefined
  /** Hears what D1 has been told, in this order. `name`: the database's binding. */
  wrote: (statements: readonly D1Statement[], name: string) => void
  reach: RealmInterceptor
  /** Bytes that a realm object takes its SQLite to have; undefined: as it is. */
  databaseSize: number | undefined
  /** So many steps of the schema are known: as in an older build; undefined: all. */
  schemaSteps: number | undefined
  store: StoreInterceptor
  alarm: AlarmInterceptor
  /** Whether the store of files fails. */
  storeIsDown: boolean
  /** How many databases of bodies are bound beside `DB`: for objects that wake from now on. At most two. */
  bodyDatabases: number
  /** Settings of the environment, as a deployment would have them. */
  settings: Readonly<Record<string, string>>
  /** Off where a test is about what an object remembers while it is awake (`npm run test:evict`). */
  evictable: boolean
  /** Whether an alarm of the tests ends only when what it has begun has ended. */
  alarmsWait: boolean
  /** Whether the platform keeps objects in jurisdictions. */
  hasJurisdictions: boolean
  /** Where the object that was asked last should be, as the platform was told. */
  lastHint: string | undefined
  /** Counts the polls that sleep on sockets, once the Worker has the socket. */
  pollsHeld: number
  /**
   * Every call to a realm object is rehearsed: all of it is done, and rolled back. What would have been done is
   * refused with the code REHEARSED.
   */
  rehearses: boolean
}

const ORDINARY: World = {
  clockOffset: 0,
  crashAt: undefined,
  stopsAt: () => false,
  bugAt: undefined,
  limited: false,
  busyQueueMs: undefined,
  pollHoldSeconds: 10,
  d1: env.D1 === 'shaky' ? shakyD1 : (call) => call(),
  copy: env.D1 === 'shaky' ? laggingCopy : undefined,
  wrote: (statements, name) => env.D1 === 'shaky' && laggingCopy.wrote(statements, name),
  reach: (call) => call(),
  databaseSize: undefined,
  schemaSteps: undefined,
  store: (call) => call(),
  alarm: (run) => run(),
  storeIsDown: false,
  bodyDatabases: Number(env.BODY_DATABASES ?? 0),
  settings: {},
  evictable: true,
  alarmsWait: true,
  hasJurisdictions: false,
  lastHint: undefined,
  pollsHeld: 0,
  rehearses: false,
}

/**
 * What the tests can turn around the server: they run in the same isolate as the Worker and its objects.
 * It is as it was again after each test.
 */
export const world: World = { ...ORDINARY }

// The Worker is a file of its own, which finds it here (vitest.config.ts).
Object.assign(globalThis, { parleyWorld: world })

export function resetWorld(): void {
  Object.assign(world, ORDINARY)
}
