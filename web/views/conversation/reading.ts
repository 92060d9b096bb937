import { markRead } from '../../actions/flags.ts'
import { state } from '../../chat.ts'
import { conversationOfNarrow } from '../../state/narrow.ts'
import { unreadIds, unreadIdsIn } from '../../state/unread.ts'
import type { MessageWindow } from '../../state/windows.ts'
import { settings } from '../preferences.ts'
import type { ScrollKeeper } from './scroll-keeper.ts'

/** Milliseconds on screen after which a message counts as read, and at its end a whole conversation. */
const READ_AFTER_MS = 500

/** Records what has been read, only while the user looks at the page, and where reading counts. */
export class Reading {
  window: MessageWindow
  /** Whether something was marked as unread: it stays so until the reader scrolls. */
  isHeld = false
  readonly #seenSince = new Map<number, number>()
  /** Since when the end of the conversation has been on screen. */
  #endSince: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #keeper: ScrollKeeper | undefined
  /** The newest message when the user looked away; undefined while the user looks. */
  #newestSeen: number | undefined

  constructor(window: MessageWindow) {
    this.window = window
  }

  /** Starts to track whether the user looks at the page; returns a function that stops this. */
  start(): () => void {
    const onFocus = () => {
      this.#newestSeen = undefined
      if (this.#keeper) this.look(this.#keeper)
    }
    const onBlur = () => this.#noteNewest()
    globalThis.addEventListener('focus', onFocus)
    globalThis.addEventListener('blur', onBlur)
    return () => {
      clearTimeout(this.#timer)
      globalThis.removeEventListener('focus', onFocus)
      globalThis.removeEventListener('blur', onBlur)
    }
  }

  /** The first message that came while the user looked elsewhere. */
  get firstUnseen(): number | undefined {
    const seen = this.#newestSeen
    if (seen === undefined) return undefined
    return this.window.ids.find((id) => id > seen && state.unread.byId.has(id))
  }

  /**
   * Returns ids of what stays unread at the end of a channel or the combined feed: messages before those of the list, or all where reading
   * does not count.
   */
  leftBehind(): number[] {
    const { narrow, ids } = this.window
    const counts = this.#counts()
    // A reader at the end of a conversation has read all of it.
    if (counts && conversationOfNarrow(narrow)) return []
    const unread = unreadIdsIn(state, narrow)
    return counts ? unread.filter((id) => id < (ids[0] ?? 0)) : unread
  }

  hold(): void {
    this.isHeld = true
    this.#seenSince.clear()
  }

  look(keeper: ScrollKeeper): void {
    this.#keeper = keeper
    if (!document.hasFocus()) this.#noteNewest()
    if (this.#timer === undefined) this.#note()
  }

  #noteNewest(): void {
    this.#newestSeen ??= this.window.ids.at(-1)
  }

  #note(): void {
    this.#timer = undefined
    if (!this.#keeper || this.isHeld || !document.hasFocus() || !this.#counts()) {
      this.#seenSince.clear()
      this.#endSince = undefined
      return
    }
    const now = performance.now()
    const read = [...this.#seenLongEnough(this.#keeper, now), ...this.#readByEnd(this.#keeper, now)]
    if (read.length > 0) {
      for (const id of read) this.#seenSince.delete(id)
      markRead(read)
    }
    const isWaiting = this.#seenSince.size > 0 || (this.#endSince !== undefined && this.#unread().length > 0)
    if (isWaiting) this.#timer = setTimeout(() => this.#note(), READ_AFTER_MS)
  }

  #seenLongEnough(keeper: ScrollKeeper, now: number): number[] {
    const visible = new Set(
      keeper.visibleRows().flatMap(({ dataset }) => {
        const id = Number(dataset.id)
        return state.unread.byId.has(id) ? [id] : []
      }),
    )
    for (const id of this.#seenSince.keys()) if (!visible.has(id)) this.#seenSince.delete(id)
    const read: number[] = []
    for (const id of visible) {
      const since = this.#seenSince.get(id)
      if (since === undefined) this.#seenSince.set(id, now)
      else if (isLongAgo(since, now)) read.push(id)
    }
    return read
  }

  /** A reader who reaches the end has read everything above; messages on the screen there have their own delay. */
  #readByEnd(keeper: ScrollKeeper, now: number): number[] {
    // A topic that was moved into another has unread messages there that are not on the screen yet.
    if (!keeper.followsEnd || !keeper.isAtEnd || this.window.isStale) {
      this.#endSince = undefined
      return []
    }
    this.#endSince ??= now
    return isLongAgo(this.#endSince, now) ? this.#unread().filter((id) => !this.#seenSince.has(id)) : []
  }

  /** Returns what is unread in the conversation; in a list of several, what is unread of the list. */
  #unread(): number[] {
    const { narrow, ids } = this.window
    const conversation = conversationOfNarrow(narrow)
    return conversation ? unreadIds(state, conversation) : ids.filter((id) => state.unread.byId.has(id))
  }

  /**
   * Whether reading here counts, by the user's setting: 1 wherever messages are read, 2 only in
   * conversations, 3 never.
   */
  #counts(): boolean {
    const { narrow } = this.window
    const policy = settings().web_mark_read_on_scroll_policy ?? 1
    if (policy === 3) return false
    if (conversationOfNarrow(narrow)) return true
    return (
      policy === 1 &&
      narrow.every(
        ({ operator, operand, negated }) =>
          !negated &&
          (operator === 'channel' || operator === 'dm' || (operator === 'is' && operand !== 'starred')),
      )
    )
  }
}

function isLongAgo(since: number, now: number): boolean {
  return now - since >= READ_AFTER_MS - 20
}
