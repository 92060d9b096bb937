import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { WEB_ADDRESS_LENGTH } from '../../api/input-limits.ts'
import { jsonTimestamp, textUpTo, word } from '../../api/parameter-types.ts'
import { deploymentOf, type RequestSource } from '../../core/call.ts'
import { BadRequestError } from '../../core/errors.ts'
import { isAllowedTarget } from '../../core/outgoing-target.ts'
import { pruneDevices } from '../../model/push/prune-devices.ts'
import { keepWebPushKeys, makeWebPushKeys, readWebPushKeys } from '../../outgoing/push/push-identity.ts'
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

/** @throws BadRequestError if the daily pause is incomplete. */
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

/** Whether an endpoint is a URL that may be called. It is checked again before each call. */
function isAddress(endpoint: string, source: Pick<RequestSource, 'deployment'>): boolean {
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:') return false
  return isAllowedTarget(endpoint, deploymentOf(source).callableHosts)
}

const endpoint = textUpTo(WEB_ADDRESS_LENGTH)

/** A browser's key, in Base64 for URLs: an uncompressed point of P-256. */
const publicKey = v.pipe(textUpTo(87), v.regex(/^[A-Za-z0-9_-]{87}$/, 'is not a key'))

/** A time of the day, such as `22:00`. */
const timeOfDay = v.pipe(textUpTo(5), v.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'is not a time'))

const secret = v.pipe(textUpTo(22), v.regex(/^[A-Za-z0-9_-]{22}$/, 'is not a key'))

/** Gets the public key with which a browser subscribes; it is created by the first request. Parley's own. */
export const getWebPushKeyEndpoint = defineEndpoint({
  operation: 'get-web-push-key',
  route: 'GET /web_push/key',
  access: 'human',
  returns: v.object({ public_key: v.string() }),
  command: {
    asks: true,
    apply(tx) {
      const known = readWebPushKeys(tx.sql)
      if (known) return { public_key: known.publicKey }
      const made = tx.fetch('keys', makeWebPushKeys)
      keepWebPushKeys(tx.sql, made)
      return { public_key: made.publicKey }
    },
  },
})

const webPushParams = {
  endpoint,
  p256dh: publicKey,
  auth: secret,
  paused_until: v.optional(jsonTimestamp),
  quiet_from: v.optional(timeOfDay),
  quiet_to: v.optional(timeOfDay),
  timezone: v.optional(word),
}
type WebPushParams = ParametersOf<typeof webPushParams>

/**
 * Lets the caller's browser get notifications, as phones do, until its session ends. The browser's earlier subscription, anyone's, is
 * replaced, including its pauses. Parley's own.
 */
export const addWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'add-web-push-subscription',
  route: 'POST /web_push/subscriptions',
  access: 'human',
  params: webPushParams,
  apply(tx, { user, source }, params) {
    if (!isAddress(params.endpoint, source))
      throw new BadRequestError('endpoint is not an address of a push service')
    const before = userOfWebPush(tx.sql, params.endpoint)
    const session =
      source.session === undefined ? undefined : findBrowserSession(tx.sql, source.session, tx.now)
    putWebPush(tx.sql, user.id, session?.id ?? null, { ...params, ...pausesOf(params) })
    if (before !== undefined && before !== user.id) pruneDevices(tx, before)
  },
  audit: 'own',
})

/** Ends the notifications of the caller's browser. Parley's own. */
export const removeWebPushSubscriptionEndpoint = defineEndpoint({
  operation: 'remove-web-push-subscription',
  route: 'DELETE /web_push/subscriptions',
  access: 'human',
  params: { endpoint },
  apply(tx, { user }, { endpoint }) {
    const own = listWebPush(tx.sql, user.id).filter((subscription) => subscription.endpoint === endpoint)
    if (own.length === 0) throw new BadRequestError('No such subscription')
    deleteWebPush(
      tx.sql,
      user.id,
      own.map(({ id }) => id),
    )
    pruneDevices(tx, user.id)
  },
  audit: 'own',
})
