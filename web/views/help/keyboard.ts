import { batch, computed } from '@preact/signals'
import type { FrameTexts } from '../../../texts/compiled/frame.ts'
import { toggleStar } from '../../actions/flags.ts'
import { hasReacted } from '../../actions/reactions.ts'
import { state } from '../../chat.ts'
import { address, go, goToConversation, goToNarrow } from '../../navigation.ts'
import { conversationKey, conversationOf, topicConversationKey } from '../../state/conversation.ts'
import { mayEditContent, mayMoveToChannel, mayMoveToTopic } from '../../state/message-permissions.ts'
import { channelNarrow, channelOfNarrow, conversationOfNarrow } from '../../state/narrow.ts'
import { isTopicMuted } from '../../state/topics.ts'
import { unreadConversations } from '../../state/unread.ts'
import type { Message } from '../../state/wire.ts'
import { keyInPlaceOf, keyOf } from '../../ui/keys.ts'
import { attempt } from '../announcement.tsx'
import {
  composeToChannel,
  composeToPeople,
  focusText,
  isNewMessageOpen,
  quote,
  replyTo,
  target,
  writeTo,
} from '../compose/compose-state.ts'
import { discardKeptKeys, keepKeysUntil } from '../compose/kept-keys.ts'
import { editedId, rowElement, selectedId, shownList } from '../conversation/selection.ts'
import { react as reactWith, THUMB } from '../message/quick-reactions.ts'
import { openDialog, openEmojiPicker, openUserCard } from '../message/surface.ts'
import { hasPeopleColumn } from '../people/people-column.tsx'
import {
  goToWanted,
  isGoToOpen,
  isHelpOpen,
  isPeopleOpen,
  isPeopleShown,
  isSidebarOpen,
  now,
  togglePeople,
  usesSingleKeys,
} from '../preferences.ts'
import { focusSearch } from '../search/search-box.tsx'

export const KEY_GROUPS = ['go', 'move', 'write', 'message'] as const

export interface KeyEntry {
  /** The usual keys, by `KeyboardEvent.key`; `Ctrl+` before one that is held with Control or Command. */
  readonly keys: readonly string[]
  readonly name: keyof FrameTexts['help']['keys']
  readonly group: (typeof KEY_GROUPS)[number]
  readonly act: () => void
}

/** The one table of keys: for the handler, the help sheet and the test. */
export const KEYS: readonly KeyEntry[] = [
  { keys: ['j', 'ArrowDown'], name: 'next', group: 'move', act: () => shownList.current?.moveBy(1) },
  { keys: ['k', 'ArrowUp'], name: 'previous', group: 'move', act: () => shownList.current?.moveBy(-1) },
  { keys: ['PageDown', ' '], name: 'pageDown', group: 'move', act: () => shownList.current?.scrollPages(1) },
  { keys: ['PageUp'], name: 'pageUp', group: 'move', act: () => shownList.current?.scrollPages(-1) },
  {
    keys: ['Home'],
    name: 'first',
    group: 'move',
    act: () => shownList.current?.moveBy(Number.NEGATIVE_INFINITY),
  },
  { keys: ['End'], name: 'last', group: 'move', act: () => shownList.current?.toEnd() },
  { keys: ['n'], name: 'nextUnreadTopic', group: 'go', act: goToNextUnreadTopic },
  { keys: ['p'], name: 'nextUnreadDirect', group: 'go', act: goToNextUnreadDirect },
  { keys: ['i'], name: 'inbox', group: 'go', act: () => go({ view: 'inbox' }) },
  { keys: ['t'], name: 'recent', group: 'go', act: () => go({ view: 'recent' }) },
  { keys: ['a'], name: 'feed', group: 'go', act: () => goToNarrow([]) },
  { keys: ['d'], name: 'drafts', group: 'go', act: () => go({ view: 'drafts' }) },
  { keys: ['s'], name: 'toTopic', group: 'go', act: () => withSelected(narrowToConversation) },
  { keys: ['S'], name: 'toChannel', group: 'go', act: () => withSelected(narrowToChannel) },
  { keys: ['/'], name: 'search', group: 'go', act: focusSearch },
  { keys: ['f'], name: 'filter', group: 'go', act: openFilter },
  { keys: ['Ctrl+k'], name: 'goTo', group: 'go', act: toggleGoTo },
  { keys: ['g'], name: 'people', group: 'go', act: toPeople },
  { keys: ['?'], name: 'help', group: 'go', act: () => toggle(isHelpOpen) },
  { keys: ['c'], name: 'composeChannel', group: 'write', act: composeToChannel },
  { keys: ['x'], name: 'composePeople', group: 'write', act: composeToPeople },
  { keys: ['r', 'Enter'], name: 'reply', group: 'write', act: reply },
  {
    keys: ['>'],
    name: 'quote',
    group: 'write',
    act: () => withSelected((message) => attempt(quote(message))),
  },
  { keys: ['e'], name: 'edit', group: 'message', act: editOrRead },
  { keys: ['+'], name: 'thumbsUp', group: 'message', act: () => withSelected(thumbUp) },
  { keys: [':'], name: 'react', group: 'message', act: () => withSelected(react) },
  {
    keys: ['*'],
    name: 'star',
    group: 'message',
    act: () => withSelected(({ id }) => attempt(toggleStar(id))),
  },
  { keys: ['m'], name: 'move', group: 'message', act: () => withSelected(moveMessage) },
  { keys: ['u'], name: 'card', group: 'message', act: () => withSelected(showSender) },
  { keys: ['Escape'], name: 'out', group: 'move', act: out },
]

interface Taker {
  readonly entry: KeyEntry
  /** The usual key in whose place it is. */
  readonly usual: string
}

const byKey = computed(
  () =>
    new Map<string, Taker>(
      KEYS.flatMap((entry) => entry.keys.map((usual) => [keyInPlaceOf(usual), { entry, usual }] as const)),
    ),
)

/** Returns what a key does now. */
export function takerOf(key: string): Taker | undefined {
  return key === '' ? undefined : byKey.value.get(key)
}

/** Keys that write a character, which users of speech input press by accident. */
const SINGLE_KEY = /^\S$/u

/** Elements that need the keys themselves. */
const TYPING = 'input:not([type="checkbox"]), textarea, select, [contenteditable]'
const PRESSING = 'button, a[href], summary, input, [role="menuitem"], [role="option"]'

/** Adds the listener; returns a function that removes it. */
export function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey) return
    const element = event.target as Element
    const isHeld = event.ctrlKey || event.metaKey
    const key = keyOf(event) ?? ''
    const entry = takerOf(key)?.entry
    if (!entry) return
    if (!isHeld && event.key !== 'Escape' && element.closest(TYPING)) return
    if (!isHeld && !usesSingleKeys.value && SINGLE_KEY.test(key)) return
    // Enter and the space bar press the focused element.
    if ((event.key === 'Enter' || event.key === ' ') && element.closest(PRESSING)) return
    // A surface above the room has its own keys, and the browser closes it.
    if (document.querySelector(':popover-open, dialog[open]')) return
    event.preventDefault()
    batch(entry.act)
  }
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function toggle(of: { value: boolean }): void {
  of.value = !of.value
}

function toggleGoTo(): void {
  toggle(isGoToOpen)
  goToWanted.value = isGoToOpen.value || undefined
  if (goToWanted.value) keepKeysUntil(goToWanted)
  else discardKeptKeys()
}

function toPeople(): void {
  if (!hasPeopleColumn()) go({ view: 'people' })
  else if (!isPeopleShown()) togglePeople()
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.people-filter')?.focus())
}

function openFilter(): void {
  const filter = document.querySelector<HTMLElement>('.view-filter, .view-filter-open')
  filter?.focus()
  filter?.click()
}

function withSelected(act: (message: Message) => void): void {
  const message = selectedId.value === undefined ? undefined : state.messages.get(selectedId.value)
  if (message && shownList.current) act(message)
}

function reply(): void {
  const shown = address.value
  // In a conversation the user replies there, whichever message is chosen.
  if (shown.view === 'narrow' && conversationOfNarrow(shown.narrow)) focusText()
  else withSelected(replyTo)
}

function narrowToConversation(message: Message): void {
  goToConversation(conversationOf(message, state.me), message.id)
}

function narrowToChannel(message: Message): void {
  if (message.type === 'stream') goToNarrow(channelNarrow(message.stream_id!), message.id)
  else narrowToConversation(message)
}

/** Edits a message; one that the user may not edit shows its source. */
function editMessage(message: Message): void {
  if (mayEditContent(state, message, now.value)) editedId.value = message.id
  else openDialog('source', message.id)
}

/** Edits the chosen message; in a list of conversations, marks the chosen one as read. */
function editOrRead(): void {
  if (shownList.current?.readRow) shownList.current.readRow()
  else withSelected(editMessage)
}

function moveMessage(message: Message): void {
  if (mayMoveToTopic(state, message, now.value) || mayMoveToChannel(state, message, now.value))
    openDialog('move', message.id)
}

function thumbUp(message: Message): void {
  if (!hasReacted(message, THUMB)) reactWith(message.id, THUMB)
}

function react(message: Message): void {
  const row = rowElement(message.id)
  if (row) openEmojiPicker(row, (emoji) => reactWith(message.id, emoji))
}

function showSender(message: Message): void {
  const row = rowElement(message.id)
  if (row) openUserCard(message.sender_id, row)
}

/** Goes to the oldest unread topic after the present one, in the order of channels. */
function goToNextUnreadTopic(): void {
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  const hereKey = here && conversationKey(here)
  const topics = unreadConversations(state).flatMap(({ conversation, newestId }) =>
    conversation.kind === 'topic' &&
    !isTopicMuted(state, conversation.channelId, conversation.topic) &&
    conversationKey(conversation) !== hereKey
      ? [{ conversation, newestId }]
      : [],
  )
  const channelHere = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  const [next] = topics.sort(
    (a, b) =>
      Number(b.conversation.channelId === channelHere) - Number(a.conversation.channelId === channelHere) ||
      a.newestId - b.newestId ||
      topicConversationKey(a.conversation.channelId, a.conversation.topic).localeCompare(
        topicConversationKey(b.conversation.channelId, b.conversation.topic),
      ),
  )
  if (next) goToConversation(next.conversation)
  else go({ view: 'inbox' })
}

function goToNextUnreadDirect(): void {
  const shown = address.value
  const here = shown.view === 'narrow' ? conversationOfNarrow(shown.narrow) : undefined
  const hereKey = here && conversationKey(here)
  const [next] = unreadConversations(state)
    .filter(({ key, conversation }) => conversation.kind === 'direct' && key !== hereKey)
    .sort((a, b) => a.newestId - b.newestId)
  if (next) goToConversation(next.conversation)
  else go({ view: 'inbox' })
}

/** Goes one step out: closes a surface, leaves the box, or leaves the view. */
function out(): void {
  // Ctrl+K is still loading; once open, its dialog handles Escape.
  if (isGoToOpen.value) toggleGoTo()
  else if (isSidebarOpen.value) isSidebarOpen.value = false
  else if (isPeopleOpen.value) isPeopleOpen.value = false
  else if (isNewMessageOpen.value && target.value) writeTo(undefined)
  else if (shownList.current?.leaveChoice?.()) return
  else if (document.activeElement?.matches(TYPING)) {
    ;(document.activeElement as HTMLElement).blur()
    shownList.current?.focus()
  } else if (state.settings.web_escape_navigates_to_home_view !== false) go({ view: 'home' })
}
