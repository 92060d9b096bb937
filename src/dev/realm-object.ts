import type { RealmAnswer, RealmCall } from '../core/call.ts'
import type { RealmIdentity } from '../core/realm-transaction.ts'
import type { RowCounts } from '../core/sql.ts'
import { type Email, listEmails } from '../domain/emails/email-rows.ts'
import type { Operation } from '../endpoints/define-endpoint.ts'
import { OPERATIONS } from '../endpoints/index.ts'
import { RealmObject } from '../realm/realm-object.ts'
import { runCall } from '../realm/run-call.ts'
import type { EmailOutlet } from '../realm/runtime.ts'
import { DEMO_OPERATIONS } from './demo-operations.ts'
import { DEV_ENDPOINTS } from './endpoints.ts'

/** The realm object of local development: it can be told what time it is, for believable histories. */
export class DevRealmObject extends RealmObject {
  /** Runs calls one after the other, each at its time (UNIX seconds). */
  async runAt(calls: readonly { readonly call: RealmCall; readonly now: number }[]): Promise<RealmAnswer[]> {
    const answers: RealmAnswer[] = []
    for (const { call, now } of calls) answers.push(await runCall(this.runtime!, call, now))
    return answers
  }

  /** Mail as it was sent, newest first. */
  async sentEmails(): Promise<Email[]> {
    return this.runtime ? listEmails(this.runtime.sql) : []
  }

  /** Rows of D1 that the projection has cost since the object woke, with nothing left to send. */
  async projectedRows(): Promise<RowCounts> {
    await this.runtime?.projector.kick()
    return { read: 0, written: 0, ...this.runtime?.projector.counts }
  }

  /** Without a mail service mail is "sent" by being kept for /dev/emails. */
  protected override emails(identity: RealmIdentity): EmailOutlet {
    const { send } = super.emails(identity)
    return { send: send ?? (async () => {}), keepSent: true }
  }

  protected override operations(): ReadonlyMap<string, Operation> {
    return new Map<string, Operation>([
      ...OPERATIONS,
      ...[...DEV_ENDPOINTS, ...DEMO_OPERATIONS].map((operation) => [operation.operation, operation] as const),
    ])
  }
}
