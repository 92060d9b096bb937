import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { jsonTimestamp, textUpTo, word } from '../../api/parameter-types.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import type { Command } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import type { Caller } from '../../model/caller.ts'
import {
  keepWebPushKeys,
  makeWebPushKeys,
  readWebPushKeys,
  type WebPushKeys,
} from '../../model/push/push-identity.ts'
import { settleDevices } from '../../model/push/settle-devices.ts'
import { findBrowserSession } from '../../store/browser-sessions/browser-session-rows.ts'
import {
  deleteWebPush,
  listWebPush,
  putWebPush,
  userOfWebPush,
  type WebPushSubscription,
} from '../../store/push/push-device-rows.ts'
import { canonicalTimezone } from '../../store/users/settings/locales.ts'

type Pauses = Pick<WebPushSubscription, 'pausedUntil' | 'quietFrom' | 'quietTo' | 'quietZone'>

interface WebPushParams {
  readonly endpoint: string
  readonly p256dh: string
  readonly auth: string
  readonly paused_until?: number | undefined
  readonly quiet_from?: string | undefined
  readonly quiet_to?: string | undefined
  readonly timezone?: string | undefined
}

/** Gets the public key with which a browser subscribes: made when it is first asked for. Parley's own. */
const getWebPushKey: Command<Caller, unknown, WebPushKeys | undefined, { public_key: string }> = {
  load: async (_store, { sql }) => (readWebPushKeys(sql) ? undefined : makeWebPushKeys()),
  apply({ sql }, _caller, _params, made) {
    const known = readWebPushKeys(sql)
    if (!known && made) keepWebPushKeys(sql, made)
    return { public_key: (known ?? made)!.publicKey }
  },
}

/**
 * Lets the caller's browser get notifications, as phones do, until its session ends. Any earlier subscription
 * of the browser is replaced, whoever had made it, and with it the pauses of its notifications. Parley's own.
 */
const addWebPushSubscription: Command<Caller, WebPushParams, void, object> = {
  apply(tx, { user, source }, params) {
    if (!isAddress(params.endpoint, source))
      throw new BadRequestError('endpoint is not an address of a push service')
    const before = userOfWebPush(tx.sql, params.endpoint)
    const session =
      source.session === undefined ? undefined : findBrowserSession(tx.sql, source.session, tx.now)
    putWebPush(tx.sql, user.id, session?.id ?? null, { ...params, ...pausesOf(params) })
    if (before !== undefined && before !== user.id) settleDevices(tx, before)
    return {}
  },
}

/** Ends the notifications of the caller's browser. Parley's own. */
const removeWebPushSubscription: Command<Caller, { readonly endpoint: string }, void, object> = {
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

/** @throws BadRequestError, unless all of the daily pause is named, or nothing. */
function pausesOf({ paused_until = 0, quiet_from, quiet_to, timezone }: WebPushParams): Pauses {
  const named = [quiet_from, quiet_to, timezone].filter((one) => one !== undefined)
  if (named.length !== 0 && named.length !== 3)
    throw new BadRequestError('quiet_from, quiet_to and timezone belong together')
  const zone = timezone === undefined ? null : canonicalTimezone(timezone)
  if (zone === undefined) throw new BadRequestError('timezone is not a recognized time zone')
  return {
    pausedUntil: paused_until,
    quietFrom: quiet_from ?? null,
    quietTo: quiet_to ?? null,
    quietZone: zone,
  }
}

/** Whether an endpoint is an address that may be called, which is checked before each call too. */
function isAddress(endpoint: string, source: Pick<RequestSource, 'deployment'>): boolean {
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:') return false
  return isAllowedTarget(endpoint, deploymentOf(source).callableHosts)
}

const endpoint = textUpTo(WEB_ADDRESS_LENGTH)

/** The key of a browser, in Base64 for URLs: a point of P-256, uncompressed, and 16 bytes. */
const publicKey = v.pipe(textUpTo(87), v.regex(/^[A-Za-z0-9_-]{87}$/, 'is not a key'))

/** A time of the day, such as `22:00`. */
const timeOfDay = v.pipe(textUpTo(5), v.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'is not a time'))

const secret = v.pipe(textUpTo(22), v.regex(/^[A-Za-z0-9_-]{22}$/, 'is not a key'))

export const getWebPushKeyEndpoint = defineEndpoint({
  operation: 'get-web-push-key',
  method: 'GET',
  path: '/web_push/key',
  access: 'human',
  params: {},
  returns: v.object({ public_key: v.string() }),
  command: getWebPushKey,
})

export const addWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'add-web-push-subscription',
  method: 'POST',
  path: '/web_push/subscriptions',
  access: 'human',
  params: {
    endpoint,
    p256dh: publicKey,
    auth: secret,
    paused_until: v.optional(jsonTimestamp),
    quiet_from: v.optional(timeOfDay),
    quiet_to: v.optional(timeOfDay),
    timezone: v.optional(word),
  },
  returns: v.object({}),
  command: addWebPushSubscription,
  audit: 'own',
})

export const removeWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'remove-web-push-subscription',
  method: 'DELETE',
  path: '/web_push/subscriptions',
  access: 'human',
  params: { endpoint },
  returns: v.object({}),
  command: removeWebPushSubscription,
  audit: 'own',
})
