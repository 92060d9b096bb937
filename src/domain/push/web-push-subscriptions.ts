import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import { findBrowserSession } from '../browser-sessions/browser-session-rows.ts'
import type { Caller } from '../caller.ts'
import { settleDevices } from './settle-devices.ts'
import { keepWebPushKeys, makeWebPushKeys, readWebPushKeys, type WebPushKeys } from './web-push-keys.ts'
import { deleteWebPush, listWebPush, putWebPush, userOfWebPush } from './web-push-rows.ts'

export interface WebPushParams {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
}

/** Gets the public key with which a browser subscribes: made when it is first asked for. Parley's own. */
export const getWebPushKey: Command<Caller, unknown, WebPushKeys | undefined, { public_key: string }> = {
  load: async (_store, { sql }) => (readWebPushKeys(sql) ? undefined : makeWebPushKeys()),
  apply({ sql }, _caller, _params, made) {
    const known = readWebPushKeys(sql)
    if (!known && made) keepWebPushKeys(sql, made)
    return { public_key: (known ?? made)!.publicKey }
  },
}

/**
 * Lets the caller's browser get notifications, as phones do, until its session ends. Any earlier subscription
 * of the browser is replaced, whoever had made it. Parley's own.
 */
export const addWebPushSubscription: Command<Caller, WebPushParams, void, object> = {
  apply(tx, { user, source }, params) {
    if (!isAddress(params.endpoint, source))
      throw new BadRequestError('endpoint is not an address of a push service')
    const before = userOfWebPush(tx.sql, params.endpoint)
    const session =
      source.session === undefined ? undefined : findBrowserSession(tx.sql, source.session, tx.now)
    putWebPush(tx.sql, user.id, session?.id ?? null, params)
    if (before !== undefined && before !== user.id) settleDevices(tx, before)
    return {}
  },
}

/** Ends the notifications of the caller's browser. Parley's own. */
export const removeWebPushSubscription: Command<Caller, { readonly endpoint: string }, void, object> = {
  apply(tx, { user }, { endpoint }) {
    const own = listWebPush(tx.sql, user.id).filter((subscription) => subscription.endpoint === endpoint)
    if (own.length === 0) throw new BadRequestError('No such subscription')
    deleteWebPush(
      tx.sql,
      user.id,
      own.map(({ id }) => id),
    )
    settleDevices(tx, user.id)
    return {}
  },
}

/** Whether an endpoint is an address that may be called, which is checked before each call too. */
function isAddress(endpoint: string, source: Pick<RequestSource, 'deployment'>): boolean {
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:') return false
  return isAllowedTarget(endpoint, deploymentOf(source).callableHosts)
}
