import type { Operation } from '../../api/define-endpoint.ts'
import type { RealmCall, RequestSource } from '../../core/call.ts'
import type { Transact } from '../../core/realm-transaction.ts'
import { giveRole } from '../../model/accounts/change-user-role.ts'
import { changeApiKey } from '../../model/accounts/login/api-key.ts'
import { actorOf, type Caller } from '../../model/caller.ts'
import { isOpenToTheWeb } from '../../model/channels/visibility/channel-audiences.ts'
import { mailCredentialChange } from '../../model/emails/account-mails.ts'
import { requireScimToken } from '../../model/scim/scim-token.ts'
import { authenticate } from '../../model/users/login/authenticate.ts'
import { notLoggedIn, requireAdmitted } from '../../rules/access.ts'
import { requireMayEnterCopy } from '../../rules/copy-rules.ts'
import type { Role } from '../../rules/roles.ts'
import { insertAuditEntry } from '../../store/audit-log/audit-entry-rows.ts'
import { noteUseOfSession } from '../../store/browser-sessions/browser-session-rows.ts'
import { requireActiveRealm } from '../../store/realm/realm-setting-rows.ts'
import { findUser, type User } from '../../store/users/user-rows.ts'
import type { CallRuntime } from './call-runtime.ts'
import { type AwaitedRest, type Commit, transactOn } from './transaction.ts'

/** The caller: an account, or a visitor without one. */
export type CallContext = Caller | { readonly source: RealmCall['source'] }

/** Returns the account that calls; undefined where the operation needs none. */
export function identify(
  runtime: CallRuntime,
  operation: Operation,
  { credentials, source }: RealmCall,
  now: number,
): User | undefined {
  const { sql, realm } = runtime
  if (operation.access === 'anyone') return undefined
  requireActiveRealm(sql)
  if (operation.access === 'spectator') {
    // Nobody sees more in a copy than today.
    if (realm.copyOf || !isOpenToTheWeb(sql, source)) throw notLoggedIn()
    return undefined
  }
  if (operation.access === 'provisioning') {
    requireScimToken(sql, credentials, now)
    return undefined
  }
  const user = authenticate(sql, realm, credentials, now)
  if (realm.copyOf) requireMayEnterCopy(realm.copyOf, user.id)
  requireAdmitted(operation, user)
  if (credentials.kind === 'session') noteUseOfSession(sql, credentials.digest, now)
  const isPending = credentials.kind === 'basic' && credentials.apiKey !== user.apiKey
  const transact = () => transactFor(runtime, { sql, now })
  if (isPending) return adoptPendingKey(transact(), user, credentials.apiKey, source)
  const { role } = actorOf(sql, user, now)
  return role === user.role ? user : lowerToOwner(transact(), user, role)
}

/** Gives a bot whose role an earlier build has left above its owner's the role that counts: a commit of its own, before anything else. */
function lowerToOwner(transact: Transact, { id }: User, role: Role): User {
  return transact((tx) => {
    giveRole(tx, findUser(tx.sql, id)!, role)
    insertAuditEntry(tx.sql, {
      at: tx.now,
      action: 'role_changed',
      actorId: null,
      address: null,
      details: { user_id: id, role },
    })
    return findUser(tx.sql, id)!
  })
}

/** Returns a function that makes one commit, and adds the work that the commit leaves to the request to `left`. */
export function transactFor(
  runtime: CallRuntime,
  parts: Pick<Parameters<typeof transactOn>[0], 'sql' | 'now' | 'suspensions' | 'stores'>,
  left?: AwaitedRest[],
): Transact {
  const onCommit = (commit: Commit) => {
    left?.push(...commit.left)
    runtime.committed(commit)
  }
  return transactOn({ ...runtime, ...parts, onCommit })
}

/** Makes the pending key, with which a user has just authenticated, the key of the account: a commit of its own, whatever the call comes to. */
function adoptPendingKey(transact: Transact, user: User, apiKey: string, source: RequestSource): User {
  const { ip } = source
  return transact((tx) => {
    changeApiKey(tx, user, apiKey)
    mailCredentialChange(tx, user, source, 'apiKey')
    insertAuditEntry(tx.sql, {
      at: tx.now,
      action: 'key_renewed',
      actorId: user.id,
      address: ip === '' ? null : ip,
      details: { user_id: user.id },
    })
    return findUser(tx.sql, user.id)!
  })
}
