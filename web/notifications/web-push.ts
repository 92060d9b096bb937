import { api } from '../actions/call.ts'
import type { Quiet } from '../state/quiet.ts'
import { quiet } from './quiet.ts'

/**
 * Enables notifications while the page is closed: the browser subscribes at its push service, and the server gets the subscription, which
 * ends with the session. Does nothing without a push service or the user's permission.
 */
export async function subscribeToPush(): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return
  const registration = await navigator.serviceWorker?.getRegistration()
  if (!registration?.pushManager) return
  const { public_key } = await api.get('/web_push/key')
  const key = bytesOf(public_key)
  const known = await registration.pushManager.getSubscription()
  // The organization's key has changed.
  if (known && !isSame(known.options.applicationServerKey, key)) await known.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON()
  const pauses = pausesOf(quiet.value)
  await api.post('/web_push/subscriptions', { endpoint, p256dh: keys?.p256dh, auth: keys?.auth, ...pauses })
  followPauses()
}

let isFollowing = false

/** Tells the server when the pauses of this browser's notifications change: it sends none during them. */
function followPauses(): void {
  if (isFollowing) return
  isFollowing = true
  let told = quiet.peek()
  quiet.subscribe((next) => {
    if (next !== told) void subscribeToPush().catch(() => {})
    told = next
  })
}

function pausesOf({ until, isDaily, from, to }: Quiet): object {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const daily = isDaily ? { quiet_from: from, quiet_to: to, timezone: timeZone } : {}
  return { paused_until: Math.ceil(until / 1_000), ...daily }
}

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64Url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}

function isSame(known: ArrayBuffer | null, key: Uint8Array): boolean {
  const bytes = new Uint8Array(known ?? new ArrayBuffer())
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index])
}
