import { effect } from '@preact/signals'
import { onNewMessage } from '../actions/session.ts'
import { state, watch } from '../chat.ts'
import { names } from '../navigation.ts'
import { addressOf } from '../state/addresses.ts'
import { conversationKey, conversationOf } from '../state/conversation.ts'
import { narrowOf } from '../state/narrow.ts'
import { mayShowContent, notifiableOf } from '../state/notifiable.ts'
import { isQuiet } from '../state/quiet.ts'
import { badgeCount } from '../state/unread.ts'
import type { Message } from '../state/wire.ts'
import { t } from '../texts/texts.ts'
import { isOwn } from '../ui/avatar.tsx'
import { markIcon } from './favicon.ts'
import { quiet } from './quiet.ts'
import { playSound } from './sound.ts'
import { subscribeToPush } from './web-push.ts'

/** Length of a message's text in a notification. */
const MAX_BODY_LENGTH = 300

/** Displayed notifications by tag, with the newest message of each. */
const shown = new Map<string, number>()

/**
 * Shows new messages outside the page, with sound, by the settings; notifications of read messages are
 * removed again.
 */
export function startNotifications(): void {
  onNewMessage(notify)
  // A browser without a push service shows notifications while the page is open.
  subscribeToPush().catch(() => {})
  effect(() => {
    watch('unread', 'settings')
    void withdrawRead()
    const count = badgeCount(state)
    markIcon(count > 0)
    void navigator.setAppBadge?.(count).catch(() => {})
  })
}

function notify(message: Message): void {
  // A user who looks at the page sees the message there.
  if (document.hasFocus() || isQuiet(quiet.value, new Date())) return
  const { isShown, isHeard } = notifiableOf(state, message)
  if (isHeard) playSound(String(state.settings.notification_sound ?? ''))
  if (isShown && 'Notification' in window && Notification.permission === 'granted') void show(message)
}

async function show(message: Message): Promise<void> {
  const conversation = conversationOf(message, state.me)
  const tag = conversationKey(conversation)
  shown.set(tag, message.id)
  const registration = await navigator.serviceWorker?.getRegistration()
  const options: NotificationOptions & { renotify: boolean } = {
    body: mayShowContent(state, message) ? textOf(message.content) : t.notifications.newDirect,
    icon: message.avatar_url && isOwn(message.avatar_url) ? message.avatar_url : undefined,
    tag,
    renotify: true,
    // The page plays its own sound.
    silent: true,
    data: { hash: addressOf(narrowOf(conversation), names, message.id), messageId: message.id },
  }
  const title = titleOf(message)
  if (registration?.active) return registration.showNotification(title, options)
  const notification = new Notification(title, options)
  notification.onclick = () => {
    window.focus()
    location.hash = options.data.hash
    notification.close()
  }
}

function titleOf(message: Message): string {
  if (message.type !== 'stream') return message.sender_full_name
  const channel = state.channels.get(message.stream_id!)?.name ?? t.unknownChannel
  const topic = message.subject || t.emptyTopic
  return `${message.sender_full_name} (#${channel} › ${topic})`
}

/**
 * Returns the text of a message from the server's HTML. It is parsed where nothing is loaded and no script
 * runs.
 */
function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const hidden of body.querySelectorAll('.spoiler-content, .katex-mathml')) hidden.remove()
  return (body.textContent ?? '').trim().replace(/\s+/g, ' ').slice(0, MAX_BODY_LENGTH)
}

async function withdrawRead(): Promise<void> {
  const read = [...shown].filter(([, id]) => !state.unread.byId.has(id)).map(([tag]) => tag)
  if (read.length === 0) return
  for (const tag of read) shown.delete(tag)
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const tag of read) {
    const notifications = (await registration?.getNotifications({ tag })) ?? []
    for (const notification of notifications) notification.close()
  }
}
