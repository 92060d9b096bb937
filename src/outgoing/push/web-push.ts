import { buildPushPayload } from '@block65/webcrypto-web-push'
import { log } from '../../core/log.ts'
import { type GoneDevices, NONE_GONE } from '../../model/push/prune-devices.ts'
import type { WebPushSubscription } from '../../store/push/push-device-rows.ts'
import { callOut, ForbiddenTargetError } from '../call-out.ts'
import type { WebPushNotification } from './push-notification.ts'
import type { PushRuntime } from './push-runtime.ts'

/** Seconds after which the push service drops an undelivered notification. */
const KEPT_SECONDS = 86_400
const MAX_ANSWER_LENGTH = 4_096

/** Milliseconds for the call and its answer. One user's service must not hold up the browsers of others. */
const TIMEOUT_MS = 5_000

/** Seconds of an answer above which a service rests for a while. */
const SLOW_SECONDS = 1

type Outcome = 'taken' | 'gone' | 'refused' | 'later'

/** Thrown where no push service of a user has accepted a notification, while one may later. */
export class WebPushFailure extends Error {}

/**
 * Sends a notification, encrypted for each, to the push services of a user's browsers. Resolves to those that no longer exist. Sources:
 * RFC 8030, 8291, 8292.
 * @throws WebPushFailure
 */
export async function deliverWebPush(
  runtime: Pick<PushRuntime, 'realm' | 'webhooks' | 'webPushRest' | 'now'>,
  notification: WebPushNotification,
): Promise<GoneDevices> {
  const { webPushRest, now } = runtime
  const outcomes = await Promise.all(
    notification.subscriptions.map(async (subscription): Promise<[number, Outcome]> => {
      const { id } = subscription
      if (webPushRest.isResting(id, now())) return [id, 'later']
      const began = now()
      const outcome = await deliverTo(runtime, subscription, notification)
      if (outcome !== 'later' && now() - began > SLOW_SECONDS) webPushRest.wasSlow(id, now())
      else if (outcome !== 'later') webPushRest.worked(id)
      else if (webPushRest.failed(id, now())) return [id, 'gone']
      return [id, outcome]
    }),
  )
  const found = outcomes.map(([, outcome]) => outcome)
  // A user who was notified in another browser is not notified again.
  if (found.includes('later') && !found.includes('taken')) {
    throw new WebPushFailure('No push service has taken a notification')
  }
  return { ...NONE_GONE, web: outcomes.flatMap(([id, outcome]) => (outcome === 'gone' ? id : [])) }
}

async function deliverTo(
  { realm, webhooks: { allowedHosts } }: Pick<PushRuntime, 'realm' | 'webhooks'>,
  { endpoint, p256dh, auth }: WebPushSubscription,
  { keys, subject, payload }: WebPushNotification,
): Promise<Outcome> {
  try {
    const urgency = payload.type === 'remove' ? 'normal' : 'high'
    const { headers, body } = await buildPushPayload(
      { data: JSON.stringify(payload), options: { ttl: KEPT_SECONDS, urgency } },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      { subject, publicKey: keys.publicKey, privateKey: keys.privateKey },
    )
    const { response } = await callOut({
      url: endpoint,
      named: { by: 'user', allowedHosts },
      init: { method: 'POST', headers: headers as Record<string, string>, body: body as BodyInit },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_LENGTH,
      needsBody: () => false,
    })
    return outcomeOf(response.status)
  } catch (error) {
    if (error instanceof ForbiddenTargetError) return 'gone'
    log('warn', 'A push service could not be reached', { organization: realm.host, error })
    return 'later'
  }
}

/** Returns the outcome by RFC 8030, 5 and 7.3. */
function outcomeOf(status: number): Outcome {
  if (status >= 200 && status < 300) return 'taken'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'later' : 'refused'
}
