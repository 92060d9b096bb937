import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { type KeyedDevice, listKeyedDevices } from '../../store/client-devices/client-device-rows.ts'
import type { PushWay } from '../../store/push/pending-push-rows.ts'
import {
  type ActivePushDevice,
  listActiveDevices,
  listWebPush,
  type WebPushSubscription,
} from '../../store/push/push-device-rows.ts'
import { listPushTokens, type PushTokenKind } from '../../store/push/push-token-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import type { PushPayloads, SealedPayload } from './present-push.ts'
import { pushUserUuid, readWebPushKeys, realmUuid, type WebPushKeys } from './push-identity.ts'

/** One request to the bouncer, or those to the push services of a user's browsers. */
export type PushNotification = PlainNotification | EncryptedNotification | WebPushNotification

/** A notification for all of a user's devices that have a token. */
export interface PlainNotification {
  readonly way: 'plain'
  readonly userId: number
  readonly request: PushPayloads & {
    readonly realm_uuid: string
    readonly user_uuid: string
    readonly user_id: number
    readonly android_devices: readonly string[]
    readonly apple_devices: readonly string[]
  }
}

/** A notification that the bouncer cannot read: it is encrypted for each of the devices. */
export type EncryptedNotification = EncryptedFor & {
  readonly userId: number
  readonly realmUuid: string
  readonly payload: SealedPayload
}

/** All or some of a user's devices of the older form, or of those with a key. */
type EncryptedFor =
  | { readonly way: 'sealed'; readonly devices: readonly ActivePushDevice[] }
  | { readonly way: 'keyed'; readonly devices: readonly KeyedDevice[] }

/** A notification for all of a user's subscribed browsers, to be encrypted for each. */
export interface WebPushNotification {
  readonly way: 'web'
  readonly userId: number
  readonly keys: WebPushKeys
  /** Address of the organization, as the contact for push services. */
  readonly subject: string
  readonly subscriptions: readonly WebPushSubscription[]
  readonly payload: SealedPayload
}

/** The forms of one notification, for each way. */
interface Presentations {
  plain(): PushPayloads
  sealed(): SealedPayload
  keyed(): SealedPayload
  web(): SealedPayload
}

/** Returns the notifications for the user's reachable devices, at most one for each way, or only for `way`. */
export function notificationsTo(
  tx: RealmTransaction,
  userId: number,
  present: Presentations,
  { way, timeIn = clocksAt(tx.now) }: { readonly way?: PushWay | undefined; readonly timeIn?: Clocks } = {},
): PushNotification[] {
  const isAsked = (one: PushWay) => way === undefined || way === one
  const notifications: PushNotification[] = []
  const plain = isAsked('plain') ? plainNotification(tx, userId, present) : undefined
  if (plain) notifications.push(plain)
  const sealed = {
    way: 'sealed',
    devices: isAsked('sealed') ? listActiveDevices(tx.sql, userId) : [],
  } as const
  if (sealed.devices.length > 0) {
    notifications.push(encryptedNotification(tx, userId, sealed, present.sealed()))
  }
  const keyed = { way: 'keyed', devices: isAsked('keyed') ? listKeyedDevices(tx.sql, userId) : [] } as const
  if (keyed.devices.length > 0) {
    notifications.push(encryptedNotification(tx, userId, keyed, present.keyed()))
  }
  const web = isAsked('web') ? webPushNotification(tx, userId, present, timeIn) : undefined
  if (web) notifications.push(web)
  return notifications
}

/** Returns undefined also where the organization requires encryption. */
function plainNotification(
  tx: RealmTransaction,
  userId: number,
  present: Presentations,
): PlainNotification | undefined {
  if (realmProperty(tx.sql, 'require_e2ee_push_notifications')) return undefined
  const known = listPushTokens(tx.sql, userId).filter(({ state }) => state === 'known')
  if (known.length === 0) return undefined
  const tokensOf = (kind: PushTokenKind) =>
    known.filter((token) => token.kind === kind).map(({ token }) => token)
  return {
    way: 'plain',
    userId,
    request: {
      realm_uuid: realmUuid(tx),
      user_uuid: pushUserUuid(tx, userId),
      user_id: userId,
      ...present.plain(),
      android_devices: tokensOf('fcm'),
      apple_devices: tokensOf('apns'),
    },
  }
}

function webPushNotification(
  tx: RealmReads,
  userId: number,
  present: Presentations,
  timeIn: Clocks,
): WebPushNotification | undefined {
  const all = listWebPush(tx.sql, userId)
  const keys = readWebPushKeys(tx.sql)
  if (all.length === 0 || !keys) return undefined
  const payload = present.web()
  // A pause does not keep notifications from being removed.
  const subscriptions = payload.type === 'remove' ? all : all.filter((one) => !isPaused(one, tx.now, timeIn))
  if (subscriptions.length === 0) return undefined
  const subject = `https://${tx.realm.host}`
  return { way: 'web', userId, keys, subject, subscriptions, payload }
}

type Pauses = Pick<WebPushSubscription, 'pausedUntil' | 'quietFrom' | 'quietTo' | 'quietZone'>

/** Whether a browser's user wants no notifications in it at a time (UNIX seconds). */
function isPaused(
  { pausedUntil, quietFrom, quietTo, quietZone }: Pauses,
  now: number,
  timeIn: Clocks,
): boolean {
  if (pausedUntil > now) return true
  if (quietFrom === null || quietTo === null || quietZone === null) return false
  const time = timeIn(quietZone)
  return quietFrom < quietTo ? quietFrom <= time && time < quietTo : time >= quietFrom || time < quietTo
}

/** Returns the time of day in a zone: `08:05`. */
type Clocks = (timeZone: string) => string

/** Formats the time once for each zone: that takes a quarter of a millisecond, and a message may notify many users of one zone. */
export function clocksAt(now: number): Clocks {
  const known = new Map<string, string>()
  return (timeZone) => {
    const clock = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    const time = known.get(timeZone) ?? new Intl.DateTimeFormat('en-GB', clock).format(now * 1_000)
    known.set(timeZone, time)
    return time
  }
}

export function encryptedNotification(
  tx: RealmTransaction,
  userId: number,
  to: EncryptedFor,
  payload: SealedPayload,
): EncryptedNotification {
  return { ...to, userId, realmUuid: realmUuid(tx), payload }
}
