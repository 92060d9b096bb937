import type { RealmCall } from '../../core/call.ts'
import type { Transact, WorkLeft } from '../../core/realm-transaction.ts'
import { noteUseOfSession } from '../../domain/browser-sessions/browser-session-rows.ts'
import type { Caller } from '../../domain/caller.ts'
import { isOpenToTheWeb } from '../../domain/channels/web-public-channels.ts'
import { requireActiveRealm } from '../../domain/realm/realm-setting-rows.ts'
import { authenticate } from '../../domain/users/login/authenticate.ts'
import type { User } from '../../domain/users/user-rows.ts'
import type { Operation } from '../../endpoints/define-endpoint.ts'
import type { Suspensions } from '../../engine/suspended.ts'
import { notLoggedIn, requireAdmitted } from '../../permissions/access.ts'
import type { Runtime } from '../runtime.ts'
import { adoptPendingKey } from './adopt-pending-key.ts'
import { afterCommit } from './after-commit.ts'
import { type Commit, transactOn } from './transaction.ts'

/** Who calls: an account, or somebody without one. */
export type CallContext = Caller | { readonly source: RealmCall['source'] }

/** Returns the account that calls; undefined where the operation needs none. */
export function identify(
  runtime: Runtime,
  operation: Operation,
  { credentials, source }: RealmCall,
  now: number,
): User | undefined {
  const { sql, realm } = runtime
  if (operation.access === 'anyone') return undefined
  requireActiveRealm(sql)
  if (operation.access === 'spectator') {
    if (!isOpenToTheWeb(sql, source)) throw notLoggedIn()
    return undefined
  }
  const user = authenticate(sql, realm, credentials, now)
  requireAdmitted(operation, user)
  if (credentials.kind === 'session') noteUseOfSession(sql, credentials.digest, now)
  const isPending = credentials.kind === 'basic' && credentials.apiKey !== user.apiKey
  return isPending ? adoptPendingKey(transactFor(runtime, sql, now), user, credentials.apiKey, source) : user
}

/** Returns what makes one commit; what it leaves to the request is added to `left`. */
export function transactFor(
  runtime: Runtime,
  sql: Runtime['sql'],
  now: number,
  suspensions?: Suspensions,
  left?: WorkLeft[],
): Transact {
  const onCommit = (commit: Commit) => {
    left?.push(...commit.left)
    afterCommit(runtime, commit)
  }
  const bodies = () => runtime.tail.readerOver(runtime)
  return transactOn({ ...runtime, sql, now, suspensions, bodies, onCommit })
}
