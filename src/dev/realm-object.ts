import type { Operation } from '../api/define-endpoint.ts'
import { INTERFACE_VERSION, type RealmAnswer, type RealmCall } from '../core/call.ts'
import { fromJson, type JsonText } from '../core/json.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import type { RowCounts } from '../core/sql.ts'
import { WEEK } from '../core/time.ts'
import { OPERATIONS } from '../features/index.ts'
import type { Environment } from '../http/request/environment.ts'
import { getsMail } from '../model/notifications/notifiable-users.ts'
import type { EmailOutlet } from '../outgoing/emails/email-sender.ts'
import { writeDigestTo } from '../outgoing/emails/mail-digest.ts'
import type { RealmEnvironment } from '../realm/build-runtime.ts'
import { runCall } from '../realm/calls/run-call.ts'
import { transactOn } from '../realm/calls/transaction.ts'
import { RealmObject } from '../realm/realm-object.ts'
import { type Email, keepSentEmail, listEmails } from '../store/emails/email-rows.ts'
import { findUser, listUsersAbove } from '../store/users/user-rows.ts'
import { DEMO_OPERATIONS } from './demo-operations.ts'
import { DEV_ENDPOINTS } from './endpoints.ts'
import { farAway, type LatencyEnvironment } from './far-away.ts'
import { insertSeed, type SeedSlice } from './seed/insert-seed.ts'

/** The address at which `npm start` serves. */
interface OriginEnvironment {
  /** Absent where any free port is used. */
  readonly LOCAL_PORT?: string
}

/** Returns the address of the organization at this host, `http://127.0.0.1:8787`; undefined where the port is unknown. */
export function localOrigin({ LOCAL_PORT }: OriginEnvironment, host: string): string | undefined {
  if (LOCAL_PORT === undefined) return undefined
  // The host name matches the one that `npm start` prints: browsers keep separate logins for each name.
  return `http://${host === 'localhost' ? '127.0.0.1' : host}:${LOCAL_PORT}`
}

/** Number of people considered; up to `DIGESTS_AT_ONCE` of them get a digest. */
const PEOPLE_ASKED = 50
const DIGESTS_AT_ONCE = 5

/** The realm object of local development, whose time can be set for believable histories. */
export class DevRealmObject extends RealmObject {
  constructor(context: DurableObjectState, env: RealmEnvironment & LatencyEnvironment) {
    super(context, farAway(env))
  }

  /** Runs calls one after the other, each at its time (UNIX seconds). Without an organization, each is answered as by `run`. */
  async runAt(calls: readonly { readonly call: RealmCall; readonly now: number }[]): Promise<RealmAnswer[]> {
    const answers: RealmAnswer[] = []
    for (const { call, now } of calls) {
      const answer = await (this.runtime
        ? runCall(this.runtime, call, now)
        : this.run(INTERFACE_VERSION, call))
      answers.push(answer)
    }
    return answers
  }

  /**
   * Enters a part of a seeded organization, as if at `time` (UNIX seconds). `insertSeed` documents the result. The slice is JSON, which
   * takes a fifth of the time of so many small objects.
   */
  async seed(slice: string, time: number): Promise<number> {
    const runtime = this.running()
    const entered = fromJson(slice as JsonText<SeedSlice>)
    return transactOn({ ...runtime, now: time, onCommit: runtime.committed })((tx) => insertSeed(tx, entered))
  }

  /** Returns the sent mail, newest first. */
  async sentEmails(): Promise<Email[]> {
    return this.runtime ? listEmails(this.runtime.sql) : []
  }

  /**
   * Writes the digests of the last week that people would get if they were away, and stores the first of them as sent mail. `origin`:
   * where links lead.
   */
  async makeDigests(origin: string): Promise<void> {
    const runtime = this.runtime
    if (!runtime) return
    const round = Math.floor(runtime.now())
    let made = 0
    for (const { id } of listUsersAbove(runtime.sql, 0, PEOPLE_ASKED)) {
      if (made === DIGESTS_AT_ONCE) return
      const occasion = { round, since: round - WEEK, origin }
      const email = await writeDigestTo(runtime, occasion, (tx) => {
        const user = findUser(tx.sql, id)
        return getsMail(user) ? user : undefined
      })
      if (!email) continue
      made += 1
      keepSentEmail(runtime.sql, { ...email, body: email.text }, runtime.now())
    }
  }

  /** Returns the D1 rows that the projection has cost since the object woke, once it is idle. */
  async projectedRows(): Promise<RowCounts> {
    await this.runtime?.projector.kick()
    return { read: 0, written: 0, ...this.runtime?.projector.counts }
  }

  /** Whether a client waits for the events of this queue. */
  isPolled(queueId: string): boolean {
    return this.runtime?.polls.isWaiting(queueId) ?? false
  }

  /** Keeps mail for /dev/emails instead of sending it, if the server has no mail service. */
  protected override emails(identity: RealmIdentity): EmailOutlet {
    const outlet = super.emails(identity)
    return {
      isConfigured: true,
      keepSent: true,
      get domain() {
        return outlet.domain
      },
      get bounceDomain() {
        return outlet.bounceDomain
      },
      send: async (email) => {
        if (outlet.isConfigured) await outlet.send(email)
      },
    }
  }

  protected override origin(identity: RealmIdentity): string {
    return localOrigin(this.env as OriginEnvironment, identity.host) ?? super.origin(identity)
  }

  protected override operations(): ReadonlyMap<string, Operation> {
    return new Map<string, Operation>([
      ...OPERATIONS,
      ...[...DEV_ENDPOINTS, ...DEMO_OPERATIONS].map((operation) => [operation.operation, operation] as const),
    ])
  }
}

/** The binding in local development, where the object has further methods. */
export type DevEnvironment = Omit<Environment, 'REALM'> &
  LatencyEnvironment &
  OriginEnvironment & {
    readonly REALM: DurableObjectNamespace<DevRealmObject>
    /** The page that shows each component. */
    readonly COMPONENTS?: Fetcher
  }
