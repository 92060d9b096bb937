import { batch } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { newestOf } from '../../actions/changing-messages.ts'
import { findLinked } from '../../actions/links.ts'
import { refreshOpenWindows } from '../../actions/message-windows.ts'
import { onMove } from '../../actions/session.ts'
import { state, watch } from '../../chat.ts'
import { address, fragment, names, replaceAddress, visit } from '../../navigation.ts'
import { type Address, printAddress } from '../../state/addresses.ts'
import { conversationKey, type Move, toggledTopic } from '../../state/conversation.ts'
import { carryWindow, followed } from '../../state/moves.ts'
import {
  channelOfNarrow,
  conversationOfNarrow,
  type Narrow,
  narrowKey,
  narrowOf,
  topicNarrow,
} from '../../state/narrow.ts'
import { outgoingIn } from '../../state/outbox.ts'
import { followDrafts, messageOfDraft, text } from '../compose/compose-state.ts'
import { keepMessage, keptMessage, keptPosition, renameKept } from './kept-position.ts'

/** Makes the view and its draft follow moves of the shown messages. Returns a function that ends this. */
export function followMoves(): () => void {
  return onMove((move) => batch(() => follow(move)))
}

function follow(move: Move): void {
  const shown = address.value
  const to = shown.view === 'narrow' ? followed(state, move, shown, lookedAt(shown, move)) : undefined
  if (shown.view !== 'narrow' || !to) {
    followDrafts(move, undefined)
    return
  }
  const [before, after] = [narrowKey(shown.narrow), narrowKey(to.narrow)]
  if (before !== after) {
    if (conversationOfNarrow(to.narrow)) carryWindow(state, move)
    renameKept(before, after)
    renamed = { before, after, visit: visit.value }
  }
  followDrafts(move, { before, after })
  replaceAddress(to)
  // What was carried over is only a part of the other topic, if that was there before.
  refreshSoon()
}

function refreshSoon(): void {
  // The list has to open the window first.
  setTimeout(() => refreshOpenWindows().catch(() => {}))
}

/** Returns the message at which the reader is: at the end, the newest. */
function lookedAt({ narrow, near, with: withId }: Extract<Address, { view: 'narrow' }>, { shown }: Move) {
  const newest = Math.max(shown.at(-1) ?? 0, state.windows.get(narrowKey(narrow))?.ids.at(-1) ?? 0)
  return keptPosition(narrowKey(narrow))?.id ?? near ?? withId ?? newest
}

/** The last view that was renamed, by keys of narrows. */
let renamed: { readonly before: string; readonly after: string; readonly visit: number } | undefined

/** Returns a number that is unchanged by a rename of the view, so that its list stays. */
export function useViewNumber(key: string): number {
  const view = useRef({ key, number: 0 })
  const { current } = view
  if (current.key === key) return current.number
  const isRenamed = renamed?.before === current.key && renamed.after === key && renamed.visit === visit.value
  view.current = { key, number: isRenamed ? current.number : current.number + 1 }
  return view.current.number
}

/**
 * Follows a topic that was moved while the page did not notice: by the back button, after a reload or after a lost connection the view of its
 * old name is empty, and a stored message shows where it is. Without one, it
 * may have been resolved. Returns true for a conversation from which all messages are gone.
 */
export function useLostTopic(narrow: Narrow): boolean {
  const key = narrowKey(narrow)
  const conversation = conversationOfNarrow(narrow)
  watch(`window ${key}`, 'outbox')
  const window = state.windows.get(key)
  const isLoaded = window?.isLoaded === true && !window.isStale
  const newest = isLoaded ? window.ids.at(-1) : undefined
  const [emptied, setEmptied] = useState<string>()
  useEffect(() => {
    if (newest !== undefined && conversation && keptMessage(key) !== newest) keepMessage({ key, id: newest })
  }, [key, newest])
  const isEmpty =
    isLoaded && window.ids.length === 0 && window.atNewest && outgoingIn(state, narrow).length === 0
  useEffect(() => {
    if (!isEmpty || conversation?.kind !== 'topic') return
    const id = keptMessage(key) ?? keptPosition(key)?.id ?? messageOfDraft(narrow)
    let isOver = false
    const finding = id === undefined ? findResolved(conversation) : findLinked([], id)
    finding.then(
      (found) => {
        const to = found && conversationOfNarrow(found)
        if (isOver) return
        if (to?.kind === 'topic' && conversationKey(to) !== conversationKey(conversation))
          goAlong(conversation, to)
        else if (id !== undefined) setEmptied(key)
      },
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [key, isEmpty])
  return isEmpty && emptied === key
}

/**
 * Returns the topic under the name that resolving gives it, or takes from it, if it is there: links without a
 * message have the one of their time. Undefined if a user has started a topic under this name.
 */
async function findResolved({ channelId, topic }: Move['from']): Promise<Narrow | undefined> {
  const other = toggledTopic(topic)
  if (topic === '' || (await newestOf(channelId, other)) === undefined) return undefined
  return text.value === '' ? topicNarrow(channelId, other) : undefined
}

function goAlong(from: Move['from'], to: Move['to']): void {
  batch(() => {
    const [before, after] = [narrowKey(narrowOf(from)), narrowKey(narrowOf(to))]
    renameKept(before, after)
    followDrafts({ from, to, ids: [], extent: 'change_all', shown: [] }, { before, after })
    replaceAddress({ view: 'narrow', narrow: narrowOf(to) })
  })
}

/** Writes names that have changed into the address: of the channel, or of the person. */
export function useNamesInAddress(): void {
  watch('channel', 'user')
  const shown = address.value
  const printed = printAddress(shown, names)
  const before = useRef({ fragment: fragment.value, printed })
  const isRenamed = before.current.fragment === fragment.value && before.current.printed !== printed
  const channelId = shown.view === 'narrow' ? channelOfNarrow(shown.narrow) : undefined
  const isThere = channelId === undefined || state.channels.has(channelId)
  before.current = { fragment: fragment.value, printed }
  // An address may have the name alone, by which nothing would be found after the next change.
  const isByName = channelId !== undefined && !fragment.value.includes(`/${channelId}`)
  useEffect(() => {
    if ((isRenamed && isThere) || isByName) replaceAddress(shown)
  })
}
