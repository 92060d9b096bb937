import { computed, signal } from '@preact/signals'
import { call } from '../../actions/call.ts'
import { stopTyping } from '../../actions/typing.ts'
import { ApiError } from '../../api/index.ts'
import { state } from '../../chat.ts'
import { address, goToConversation } from '../../navigation.ts'
import { mayPost } from '../../state/channel-permissions.ts'
import { type Conversation, conversationKey, conversationOf, type Move } from '../../state/conversation.ts'
import { partsOf, wholeOf, withFile, withQuote } from '../../state/message-parts.ts'
import {
  COMBINED_FEED,
  channelOfNarrow,
  conversationOfNarrow,
  type Narrow,
  narrowKey,
  narrowOf,
} from '../../state/narrow.ts'
import { unreadConversations } from '../../state/unread.ts'
import type { Draft, Message } from '../../state/wire.ts'
import { forget, type KeptDraft, keep, keptDrafts, keptKeys, readKept } from './kept-drafts.ts'
import { keepKeysUntil } from './kept-keys.ts'

/** The text in the box, and its destination. The room has one box, whose content belongs to the view in which it was written. */
export const text = signal('')
export const target = signal<Conversation | undefined>(undefined)
/** Set until the named part of the box has the focus. */
export const focusWanted = signal<{ readonly at: 'text' | 'topic' | 'people' } | undefined>(undefined)
/** Whether the topic without a name has been chosen for the text, and not left over. */
export const isUnnamedChosen = signal(false)
/** Whether a view without a box of its own has one, for a new message. */
export const isNewMessageOpen = signal(false)

/** The view to which the text in the box belongs. */
export interface Place {
  /** The key of its narrow, which changes with the names of a conversation. */
  key: string
  /** The destination of its text, while the box shows another view. */
  target?: Conversation | undefined
}

export const place = signal<Place>({ key: '' })
/** Each place that was shown: a file or a quote may be on its way to the text there. */
const places = new Set<Place>([place.value])
/** Whether there are unsaved changes; another window of the page may have saved a newer text. */
let isChanged = false
let serverId: number | undefined
let localTimer: ReturnType<typeof setTimeout> | undefined
let serverTimer: ReturnType<typeof setTimeout> | undefined

const LOCAL_AFTER_MS = 300
const SERVER_AFTER_MS = 2_000

/** Shows the draft of another narrow when the room shows that narrow. */
export function showNarrow(narrow: Narrow): void {
  const key = narrowKey(narrow)
  if (key === place.value.key) return
  saveNow()
  if (serverTimer !== undefined) void saveOnServer()
  leaveFor(key)
  keepsQuotes.value = false
  isUnnamedChosen.value = conversationOfNarrow(narrow) !== undefined
  const kept = readKept(key) ?? fromServer(narrow)
  text.value = kept?.text ?? ''
  serverId = kept?.serverId
  target.value = kept?.target ?? targetOf(narrow)
}

/** Makes the box belong to another place, which is the same one at each return. */
function leaveFor(key: string): void {
  place.value.target = target.value
  const known = [...places].find((one) => one.key === key)
  place.value = known ?? { key }
  places.add(place.value)
}

/** Returns the default destination of a narrow. */
export function targetOf(narrow: Narrow): Conversation | undefined {
  const conversation = conversationOfNarrow(narrow)
  if (conversation) return conversation
  const channelId = channelOfNarrow(narrow)
  return channelId === undefined ? undefined : { kind: 'topic', channelId, topic: '' }
}

/** Returns the draft of the same conversation that was started in another client. */
export function fromServer(narrow: Narrow): KeptDraft | undefined {
  const conversation = conversationOfNarrow(narrow)
  const [draft] = conversation ? draftsIn(conversation) : []
  return draft && { target: conversation, text: draft.content, serverId: draft.id }
}

/** Returns the server's drafts for a conversation. */
export function draftsIn(conversation: Conversation): Draft[] {
  const wanted = conversationKey(conversation)
  return draftsWhere((where) => conversationKey(where) === wanted)
}

/** Returns the server's drafts for some conversations. */
export function draftsWhere(isOne: (conversation: Conversation) => boolean): Draft[] {
  return [...state.drafts.values()].filter((draft) => {
    const where = conversationOfDraft(draft)
    return where !== undefined && isOne(where)
  })
}

export function conversationOfDraft({ type, to, topic }: Draft): Conversation | undefined {
  if (to.length === 0 || type === '') return undefined
  return type === 'stream'
    ? { kind: 'topic', channelId: to[0]!, topic }
    : { kind: 'direct', peers: [...to].sort((a, b) => a - b) }
}

/** Takes over the text at each key. */
export function write(next: string): void {
  text.value = next
  isChanged = true
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

/** Saves the text in this browser at once: the page is about to close, or another view is shown. */
export function saveNow(): void {
  clearTimeout(localTimer)
  if (!isChanged) return
  isChanged = false
  const { key } = place.value
  if (text.value.trim() === '') forget(key)
  else {
    const message = state.windows.get(key)?.ids.at(-1) ?? readKept(key)?.message
    keep(key, { target: target.value, text: text.value, serverId, message })
  }
}

/** Shows the text that another tab has kept for the view of the box; a text that is being typed here stays, and is kept next. */
export function showKept(): void {
  const kept = readKept(place.value.key)
  const content = kept?.text ?? ''
  if (isChanged) {
    serverId ??= kept?.serverId
    return
  }
  serverId = kept?.serverId
  target.value = kept?.target ?? target.value
  if (content === text.value) return
  // The tab in which it was typed saves it on the server.
  clearServerTimer()
  text.value = content
}

/** Returns a message of the conversation in which something was written here. */
export function messageOfDraft(narrow: Narrow): number | undefined {
  return readKept(narrowKey(narrow))?.message
}

async function saveOnServer(): Promise<void> {
  clearServerTimer()
  const [content, conversation, at, known] = [text.value, target.value, place.value, serverId]
  if (!conversation) return
  if (content.trim() === '') return forgetOnServer()
  const draft = draftOf(conversation, content)
  try {
    const isThere = known !== undefined && (await changeOnServer(known, draft))
    const id = isThere ? known : ((await call('POST', '/drafts', { drafts: [draft] })).ids as number[])[0]
    const isShown = at.key === place.value.key
    if (isShown) {
      serverId = id
      isChanged = true
      saveNow()
    }
    const kept = readKept(at.key)
    // The message has been sent meanwhile, unless the text has followed a move.
    if (!kept) {
      if (!keptDrafts.peek().some((one) => one.kept.serverId === id)) await forgetOnServer(id)
    }
    if (kept && !isShown) keep(at.key, { ...kept, serverId: id })
  } catch {
    // The draft is stored in this browser, and sent with the next change.
  }
}

function clearServerTimer(): void {
  clearTimeout(serverTimer)
  serverTimer = undefined
}

/** Changes a draft. Returns whether it is still there. */
async function changeOnServer(id: number, draft: object): Promise<boolean> {
  try {
    await call('PATCH', `/drafts/${id}`, { draft })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false
    throw error
  }
}

/** Returns a draft as the server stores it. */
export function draftOf(conversation: Conversation, content: string): Omit<Draft, 'id'> {
  const isTopic = conversation.kind === 'topic'
  return {
    type: isTopic ? 'stream' : 'private',
    to: isTopic ? [conversation.channelId] : [...conversation.peers],
    topic: isTopic ? conversation.topic : '',
    content,
    timestamp: Math.floor(Date.now() / 1_000),
  }
}

/** Removes a draft that was deleted on the server, also from the box. */
export function dropDraft(id: number): void {
  for (const key of keptKeys()) if (readKept(key)?.serverId === id) forget(key)
  if (serverId === id) dropText()
}

/** Empties the box without saving. */
function dropText(): void {
  clearTimeout(localTimer)
  clearServerTimer()
  isChanged = false
  serverId = undefined
  text.value = ''
}

/** Puts a draft of the server into the box, if the box is empty and writes to its conversation. */
export function takeDraft(draft: Draft): void {
  const where = conversationOfDraft(draft)
  if (!where || narrowKey(narrowOf(where)) !== place.value.key || text.value !== '') return
  text.value = draft.content
  serverId = draft.id
}

/** Stores a text for a conversation in this browser, below the text already stored there. */
export function keepText(conversation: Conversation, content: string): void {
  const key = narrowKey(narrowOf(conversation))
  if (key === place.value.key) {
    write(text.value === '' ? content : `${text.value}\n\n${content}`)
    saveNow()
    return
  }
  const there = readKept(key)
  keep(key, { target: conversation, ...there, text: there ? `${there.text}\n\n${content}` : content })
}

/** A draft that only this browser has: where drafts are not synchronized, or the server could not be asked. */
export interface DraftHere {
  readonly key: string
  /** Undefined where nobody has been chosen to write to. */
  readonly where: Conversation | undefined
  readonly text: string
}

export function draftsHere(): readonly DraftHere[] {
  return keptDrafts.value.flatMap(({ key, kept: { target: where, text: content, serverId: id } }) => {
    if (id !== undefined && state.drafts.has(id)) return []
    // The server may have it under an id that has not arrived yet.
    if (where && draftsIn(where).some((draft) => draft.content === content)) return []
    const isNowhere = !where || (where.kind === 'direct' && where.peers.length === 0)
    return [{ key, where: isNowhere ? undefined : where, text: content }]
  })
}

/** Moves a draft that was begun in a feed to its conversation, so that a link to that shows it. */
export function moveToConversation({ key, where }: DraftHere): void {
  const home = where && narrowKey(narrowOf(where))
  if (home === undefined || home === key) return
  closeBox()
  moveKept(key, home)
  for (const one of places) if (one.key === key) one.key = home
}

/** Deletes a draft that only this browser has; returns the function that undoes this. */
export function deleteHere({ key }: DraftHere): () => void {
  const kept = readKept(key)
  if (key === place.value.key) closeBox()
  forget(key)
  return () => {
    if (kept && !readKept(key)) keep(key, kept)
  }
}

/** Forgets which text the box shows: the next view reads its own. */
function closeBox(): void {
  dropText()
  leaveFor('')
  target.value = undefined
}

async function forgetOnServer(id = serverId): Promise<void> {
  if (id === serverId) serverId = undefined
  if (id !== undefined) await call('DELETE', `/drafts/${id}`).catch(() => {})
}

/** Empties the box after a send; it keeps the conversation. */
export function empty(): void {
  clearServerTimer()
  text.value = ''
  keepsQuotes.value = false
  isChanged = true
  saveNow()
  void forgetOnServer()
  if (target.value) stopTyping(target.value)
}

/**
 * Makes the text for a topic follow a move, in the box and in the store. `view`: keys of the narrow of a view that follows too. A view that
 * stays, since messages have stayed in its topic, keeps its text.
 */
export function followDrafts(
  move: Move,
  view: { readonly before: string; readonly after: string } | undefined,
): void {
  if (!view && move.extent === 'change_one') return
  saveNow()
  const before = narrowKey(narrowOf(move.from))
  const stays = !view && place.value.key === before && address.value.view === 'narrow'
  const renamed = new Map([[before, narrowKey(narrowOf(move.to))]])
  if (view) renamed.set(view.before, view.after)
  const joined = new Set<number | undefined>()
  if (!stays) for (const [from, to] of renamed) if (from !== to) joined.add(moveKept(from, to))
  for (const key of keptKeys()) {
    const kept = readKept(key)
    const next = kept?.target && along(move, kept.target)
    if (next && next !== kept.target && !(stays && key === place.value.key))
      keep(key, { ...kept, target: next })
  }
  for (const one of places) {
    if (stays && one.key === before) continue
    one.key = renamed.get(one.key) ?? one.key
    one.target &&= along(move, one.target)
  }
  const isSaved = !stays && adoptKept(move)
  for (const draft of state.drafts.values()) {
    // The box saves its own text, with later changes.
    if (joined.has(draft.id) || (draft.id === serverId && (isSaved || stays))) continue
    const where = conversationOfDraft(draft)
    if (!where || along(move, where) === where) continue
    const { type, content, timestamp } = draft
    const moved = { type, to: [move.to.channelId], topic: move.to.topic, content, timestamp }
    call('PATCH', `/drafts/${draft.id}`, { draft: moved }).catch(() => {})
  }
}

function along({ from, to }: Move, conversation: Conversation): Conversation {
  return conversationKey(conversation) === conversationKey(from) ? to : conversation
}

/**
 * Shows the text now stored for the view of the box, with the new destination. Returns whether the box saves it: a text from another window
 * is saved there.
 */
function adoptKept(move: Move): boolean {
  const kept = readKept(place.value.key)
  const isOwn = text.value !== ''
  if (kept) text.value = kept.text
  serverId ??= kept?.serverId
  if (target.value && along(move, target.value) !== target.value) {
    stopTyping(move.from)
    target.value = move.to
  }
  if (isOwn) write(text.value)
  return isOwn
}

/** Moves a kept text to another view, where it joins a text kept there. Returns the server's draft that this ends. */
function moveKept(from: string, to: string): number | undefined {
  const kept = readKept(from)
  if (!kept) return undefined
  forget(from)
  const there = readKept(to)
  // Another window of the page has moved it already.
  const isSame = !there || there.from === from || there.text === kept.text
  if (isSame) {
    keep(to, { ...kept, from })
    return undefined
  }
  const [first, second] = to === place.value.key ? [there, kept] : [kept, there]
  keep(to, { ...first, text: `${first.text}\n\n${second.text}`, from })
  const { serverId: ended } = second
  if (ended === undefined || ended === first.serverId) return undefined
  call('DELETE', `/drafts/${ended}`).catch(() => {})
  return ended
}

window.addEventListener('pagehide', saveNow)

export function focusText(): void {
  want('text')
}

/** Focuses a field of the box as soon as it is there, for the next keys. */
function want(at: 'text' | 'topic' | 'people'): void {
  focusWanted.value = { at }
  if (at === 'text')
    document.querySelector<HTMLElement>('.compose .compose-text')?.focus({ preventScroll: true })
  if (!document.activeElement?.matches('.compose .compose-text')) keepKeysUntil(focusWanted)
}

/** Replies in the conversation of a message; the text that is being written moves there. */
export function replyTo(message: Message): void {
  const conversation = conversationOf(message, state.me)
  if (target.value && text.value !== '' && conversationKey(target.value) !== conversationKey(conversation))
    saveNow()
  target.value = conversation
  isUnnamedChosen.value = true
  focusText()
}

/** Quotes a message in the box that is shown now; in its draft, if the user has gone elsewhere before the message's text has come. */
export async function quote(message: Message): Promise<void> {
  const conversation = conversationOf(message, state.me)
  const at = place.value
  const shown = address.value
  const to = shown.view === 'narrow' && !conversationOfNarrow(shown.narrow) ? conversation : undefined
  const { quotedMarkdown } = await import('./quoted.ts')
  const markdown = await quotedMarkdown(message)
  if (at.key !== place.value.key) {
    changeKept(at, (there) => withQuote(there, markdown) ?? `${there}${there && '\n'}${markdown}`, to)
    return
  }
  const quoted = withQuote(text.value, markdown)
  if (quoted !== undefined) write(quoted)
  else insert(markdown, { ownLine: true })
  target.value = to ?? target.value ?? conversation
  if (address.value.view === 'narrow') focusText()
}

/** Cursor of the box, in what it shows. */
export const cursor = { start: 0, end: 0 }

export function cursorToEnd(): void {
  cursor.start = parts.value.body.length
  cursor.end = cursor.start
}

/** Whether quotes are shown as Markdown, for editing. */
export const keepsQuotes = signal(false)

/** The text, taken apart as the box shows it. */
export const parts = computed(() => partsOf(text.value, { keepsQuotes: keepsQuotes.value }))

export function insert(inserted: string, { ownLine = false } = {}): void {
  const { body } = parts.value
  const start = Math.min(cursor.start, body.length)
  const end = Math.min(Math.max(cursor.end, start), body.length)
  const before = body.slice(0, start)
  const gap = ownLine && before !== '' && !before.endsWith('\n') ? '\n' : ''
  const next = before + gap + inserted
  cursor.start = next.length
  cursor.end = next.length
  write(wholeOf({ ...parts.value, body: next + body.slice(end) }))
}

/** Whether the view has a box with the text. */
function hasBox(): boolean {
  return target.value !== undefined && (address.value.view === 'narrow' || isNewMessageOpen.value)
}

export interface FileTaker {
  readonly place: Place
  /** Adds a file to the text of the place. Returns the destination of that text, if the user sees another one. */
  take(markdown: string): Conversation | undefined
}

/** Returns what takes files for the text now in the box, wherever the user goes meanwhile. */
export function fileTaker(): FileTaker {
  const at = place.value
  const take = (markdown: string) => {
    if (at.key !== place.value.key) return changeKept(at, (there) => withFile(there, markdown))
    write(withFile(text.value, markdown))
    if (!hasBox()) return target.value
    focusWanted.value = { at: 'text' }
    return undefined
  }
  return { place: at, take }
}

/** Changes the text of a place that the box does not show. `to`: its new destination. Returns its destination. */
function changeKept(
  { key, target: before }: Place,
  change: (there: string) => string,
  to?: Conversation,
): Conversation | undefined {
  const there = readKept(key)
  const destination = to ?? there?.target ?? before
  keep(key, { ...there, target: destination, text: change(there?.text ?? '') })
  return destination
}

/** Mentions a user in the box, or in a new message where there is none. `mention`: as Markdown. */
export function mentionInCompose(userId: number, mention: string): void {
  const isThere = hasBox()
  if (!isThere) {
    composeToChannel()
    cursorToEnd()
  }
  if (!target.value) {
    goToConversation({ kind: 'direct', peers: [userId] })
    return
  }
  insert(`${mention} `)
  if (isThere) focusText()
}

/** `c`: writes to a channel, the present one if there is one. */
export function composeToChannel(): void {
  const isBegun = openNewMessage() && target.value?.kind === 'topic' && text.value !== ''
  if (!isBegun) {
    const channelId = channelToWriteTo()
    if (channelId === undefined) {
      composeToPeople()
      return
    }
    writeTo({ kind: 'topic', channelId, topic: '' })
    isUnnamedChosen.value = false
  }
  want(isBegun ? 'text' : 'topic')
}

/** `x`: writes to people. */
export function composeToPeople(): void {
  const isBegun = openNewMessage() && target.value?.kind === 'direct' && text.value !== ''
  if (!isBegun) writeTo({ kind: 'direct', peers: [] })
  want(isBegun ? 'text' : 'people')
}

/** Gives a view without a box one, with its draft. Returns whether it is such a view. */
function openNewMessage(): boolean {
  if (address.value.view === 'narrow') return false
  showNarrow(COMBINED_FEED)
  isNewMessageOpen.value = true
  return true
}

/** Returns the present channel; else that of the newest known conversation, or any other. */
function channelToWriteTo(): number | undefined {
  const shown = address.value
  const here = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  if (here !== undefined) return here
  const may = (id: number) => {
    const channel = state.channels.get(id)
    return channel?.subscription !== undefined && !channel.is_archived && mayPost(state, channel)
  }
  const known = [...state.recent.values(), ...unreadConversations(state)]
  for (const { conversation } of known.sort((a, b) => b.newestId - a.newestId)) {
    if (conversation.kind === 'topic' && may(conversation.channelId)) return conversation.channelId
  }
  return [...state.channels.keys()].find(may)
}
