import { signal } from '@preact/signals'
import { call } from '../../actions/call.ts'
import { sourceOf, stopTyping } from '../../actions/messages.ts'
import { state } from '../../chat.ts'
import { address, goToConversation, hrefOfConversation, wholeAddress } from '../../navigation.ts'
import { type Conversation, conversationKey, conversationOf } from '../../state/conversation.ts'
import { channelOfNarrow, conversationOfNarrow, type Narrow, narrowKey } from '../../state/narrow.ts'
import type { Draft, Message, User } from '../../state/wire.ts'
import { readStored } from '../../ui/stored.ts'

/**
 * The text that is being written, and its destination. One box for the whole room; its content stays with the
 * view in which it was written.
 */
export const text = signal('')
export const target = signal<Conversation | undefined>(undefined)
/** Grows when the box wants the focus. `at`: which part of it. */
export const focusWanted = signal<{ readonly at: 'text' | 'topic' | 'people' } | undefined>(undefined)

interface KeptDraft {
  readonly target: Conversation | undefined
  readonly text: string
  /** Id that the server has given it. */
  readonly serverId?: number
}

let shownKey = ''
let serverId: number | undefined
let localTimer: ReturnType<typeof setTimeout> | undefined
let serverTimer: ReturnType<typeof setTimeout> | undefined

const LOCAL_AFTER_MS = 300
const SERVER_AFTER_MS = 2_000

function storageKey(key: string): string {
  return `draft ${state.me} ${key}`
}

/** Shows what was written in another narrow when the room shows it. */
export function showNarrow(narrow: Narrow): void {
  const key = narrowKey(narrow)
  if (key === shownKey) return
  saveNow()
  shownKey = key
  const kept = readKept(key) ?? fromServer(narrow)
  text.value = kept?.text ?? ''
  serverId = kept?.serverId
  target.value = kept?.target ?? targetOf(narrow)
}

/** Returns the default destination of a narrow. */
function targetOf(narrow: Narrow): Conversation | undefined {
  const conversation = conversationOfNarrow(narrow)
  if (conversation) return conversation
  const channelId = channelOfNarrow(narrow)
  return channelId === undefined ? undefined : { kind: 'topic', channelId, topic: '' }
}

function readKept(key: string): KeptDraft | undefined {
  return readStored<KeptDraft>(storageKey(key))
}

/** Returns the draft that was begun elsewhere, in the same conversation. */
function fromServer(narrow: Narrow): KeptDraft | undefined {
  const conversation = conversationOfNarrow(narrow)
  if (!conversation) return undefined
  const wanted = conversationKey(conversation)
  for (const draft of state.drafts.values()) {
    const where = conversationOfDraft(draft)
    if (where && conversationKey(where) === wanted) {
      return { target: conversation, text: draft.content, serverId: draft.id }
    }
  }
  return undefined
}

export function conversationOfDraft({ type, to, topic }: Draft): Conversation | undefined {
  if (to.length === 0 || type === '') return undefined
  return type === 'stream' || type === 'channel'
    ? { kind: 'topic', channelId: to[0]!, topic }
    : { kind: 'direct', peers: [...to].sort((a, b) => a - b) }
}

/** Takes over the text at each key. */
export function write(next: string): void {
  text.value = next
  clearTimeout(localTimer)
  localTimer = setTimeout(saveNow, LOCAL_AFTER_MS)
  clearTimeout(serverTimer)
  if (state.settings.enable_drafts_synchronization) {
    serverTimer = setTimeout(() => void saveOnServer(), SERVER_AFTER_MS)
  }
}

export function writeTo(next: Conversation | undefined): void {
  target.value = next
  if (text.value !== '') write(text.value)
}

/** Saves the text in this browser, since the page is about to close, or another view is shown. */
function saveNow(): void {
  clearTimeout(localTimer)
  if (shownKey === '' && text.value === '') return
  if (text.value.trim() === '') localStorage.removeItem(storageKey(shownKey))
  else {
    const kept: KeptDraft = { target: target.value, text: text.value, serverId }
    localStorage.setItem(storageKey(shownKey), JSON.stringify(kept))
  }
}

async function saveOnServer(): Promise<void> {
  const content = text.value
  const conversation = target.value
  const key = shownKey
  if (!conversation) return
  try {
    if (content.trim() === '') await forgetOnServer()
    else {
      const draft = {
        type: conversation.kind === 'topic' ? 'stream' : 'private',
        to: conversation.kind === 'topic' ? [conversation.channelId] : conversation.peers,
        topic: conversation.kind === 'topic' ? conversation.topic : '',
        content,
        timestamp: Math.floor(Date.now() / 1_000),
      }
      if (serverId === undefined) {
        const { ids } = await call('POST', '/drafts', { drafts: [draft] })
        if (key === shownKey) serverId = (ids as number[])[0]
      } else await call('PATCH', `/drafts/${serverId}`, { draft })
    }
    if (key === shownKey) saveNow()
  } catch {
    // The draft is stored in this browser, and sent with the next change.
  }
}

async function forgetOnServer(): Promise<void> {
  const id = serverId
  serverId = undefined
  if (id !== undefined) await call('DELETE', `/drafts/${id}`).catch(() => {})
}

/** Empties the box after a send; it keeps the conversation. */
export function empty(): void {
  clearTimeout(serverTimer)
  text.value = ''
  saveNow()
  void forgetOnServer()
  if (target.value) stopTyping(target.value)
}

window.addEventListener('pagehide', saveNow)

export function focusText(): void {
  // At once if it is there: what is typed next is for it.
  document.querySelector<HTMLElement>('.compose-text')?.focus({ preventScroll: true })
  focusWanted.value = { at: 'text' }
}

/** Replies in the conversation of a message; the text that is being written moves there. */
export function replyTo(message: Message): void {
  const conversation = conversationOf(message, state.me)
  if (target.value && text.value !== '' && conversationKey(target.value) !== conversationKey(conversation))
    saveNow()
  target.value = conversation
  focusText()
}

export async function quote(message: Message): Promise<void> {
  const conversation = conversationOf(message, state.me)
  const content = await sourceOf(message.id)
  const fence = '`'.repeat(Math.max(3, ...[...content.matchAll(/^`+/gm)].map(([ticks]) => ticks.length + 1)))
  const link = wholeAddress(hrefOfConversation(conversation, message.id))
  const said = `@_**${message.sender_full_name}|${message.sender_id}** [↗](${link}):`
  insert(`${said}\n${fence}quote\n${content}\n${fence}\n`, { ownLine: true })
  target.value ??= conversation
  if (address.value.view === 'narrow' && !conversationOfNarrow(address.value.narrow))
    target.value = conversation
  focusText()
}

/** Cursor of the box. */
export const cursor = { start: 0, end: 0 }

export function insert(inserted: string, { ownLine = false } = {}): void {
  const start = Math.min(cursor.start, text.value.length)
  const end = Math.min(Math.max(cursor.end, start), text.value.length)
  const before = text.value.slice(0, start)
  const gap = ownLine && before !== '' && !before.endsWith('\n') ? '\n' : ''
  const next = before + gap + inserted
  cursor.start = next.length
  cursor.end = next.length
  write(next + text.value.slice(end))
}

export function mentionInCompose(user: User): void {
  if (!target.value) goToConversation({ kind: 'direct', peers: [user.user_id] })
  const isOnly =
    [...state.users.values()].filter(({ full_name }) => full_name === user.full_name).length === 1
  insert(isOnly ? `@**${user.full_name}** ` : `@**${user.full_name}|${user.user_id}** `)
  focusText()
}

/** `c`: writes to a channel, the present one if there is one. */
export function composeToChannel(): void {
  const shown = address.value
  const channelId = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  const first = channelId ?? [...state.channels.values()].find(({ subscription }) => subscription)?.stream_id
  if (first === undefined) return
  writeTo({ kind: 'topic', channelId: first, topic: '' })
  focusWanted.value = { at: 'topic' }
}

/** `x`: writes to people. */
export function composeToPeople(): void {
  writeTo({ kind: 'direct', peers: [] })
  focusWanted.value = { at: 'people' }
}
