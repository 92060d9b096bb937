/// <reference lib="webworker" />
/**
 * The page's service worker. It keeps the shell (the page, its script and style), so that the page opens
 * without a network, and opens the conversation of a notification. It stores no personal data: no answer of the API, no picture, no file. The
 * page itself keeps its offline data (actions/offline.ts).
 */
declare const self: ServiceWorkerGlobalScope

const SHELL = 'shell'
/** Number of files of older builds that are kept besides the newest. */
const FILES_KEPT = 200

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(SHELL).then((cache) => cache.add(self.registration.scope)))
  void self.skipWaiting()
})

self.addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET') return
  if (request.url.replace(/[?#].*$/, '') === self.registration.scope) event.respondWith(newestPage(request))
  else if (request.url.startsWith(`${self.registration.scope}page/`)) event.respondWith(fileOfPage(request))
})

/** Answers of a server that serves nobody now, or of Cloudflare in its place, such as when a limit is used up. */
const isRefusal = ({ status }: Response) => status === 429 || status >= 500

/** Returns the page from the server, or the last copy of it: offline, and while the server refuses. */
async function newestPage(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(self.registration.scope, response.clone())
    return (isRefusal(response) && (await cache.match(self.registration.scope))) || response
  } catch (error) {
    const kept = await cache.match(self.registration.scope)
    if (kept) return kept
    throw error
  }
}

/** Returns a file whose name has a digest of its content, which never changes. */
async function fileOfPage(request: Request): Promise<Response> {
  const cache = await caches.open(SHELL)
  const kept = await cache.match(request)
  if (kept) return kept
  const response = await fetch(request)
  if (response.ok) {
    await cache.put(request, response.clone())
    const keys = await cache.keys()
    for (const old of keys.slice(0, Math.max(keys.length - FILES_KEPT, 0))) await cache.delete(old)
  }
  return response
}

/**
 * A push of the server: about a message, or about messages that must no longer be shown. Source:
 * docs/web-push.md.
 */
interface Pushed {
  readonly type: string
  readonly message_id?: number
  readonly message_ids?: readonly number[]
  readonly content?: string
  readonly sender_full_name?: string
  readonly sender_avatar_url?: string
  readonly channel_name?: string
  readonly topic?: string
  readonly path?: string
  readonly tag?: string
}

self.addEventListener('push', (event) => {
  const pushed = event.data?.json() as Pushed | undefined
  if (pushed?.type === 'message') event.waitUntil(show(pushed))
  if (pushed?.type === 'remove') event.waitUntil(withdraw(pushed.message_ids ?? []))
})

/** Shows it, unless the user is looking at a page, which shows it itself. */
async function show(pushed: Pushed): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some(({ focused }) => focused)) return
  const { sender_full_name: sender = '', channel_name: channel, topic } = pushed
  await self.registration.showNotification(channel ? `${sender} (#${channel} › ${topic})` : sender, {
    body: pushed.content,
    icon: pushed.sender_avatar_url?.startsWith(location.origin) ? pushed.sender_avatar_url : undefined,
    tag: pushed.tag,
    data: { hash: pushed.path?.replace(/^\//, ''), messageId: pushed.message_id },
  })
}

async function withdraw(messageIds: readonly number[]): Promise<void> {
  for (const notification of await self.registration.getNotifications()) {
    if (messageIds.includes(notification.data?.messageId)) notification.close()
  }
}

self.addEventListener('notificationclick', (event) => {
  const { notification } = event
  notification.close()
  event.waitUntil(open(String(notification.data?.hash ?? '')))
})

async function open(hash: string): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' })
  if (!page) {
    await self.clients.openWindow(`${self.registration.scope}${hash}`)
    return
  }
  await page.focus()
  page.postMessage({ hash })
}

export {}
