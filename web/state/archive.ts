import type { ChatState } from './chat-state.ts'
import { belongsTo } from './matches.ts'
import type { Narrow } from './narrow.ts'
import type { FetchedMessages, MessageWindow } from './windows.ts'
import type { Message } from './wire.ts'
import { hasWords } from './words.ts'

/** The part of the parameters of GET /messages by which a page of messages is chosen. */
export interface PageOfMessages {
  readonly anchor?: number | string
  readonly anchor_date?: string
  readonly include_anchor?: boolean
  readonly num_before?: number
  readonly num_after?: number
}

/** The number of ids whose messages are kept together. */
const IDS_OF_BLOCK = 256

export const blockOf = (id: number) => Math.floor(id / IDS_OF_BLOCK)

/** Returns messages by the block in which they are kept. */
export function inBlocks(messages: Iterable<Message>): Map<number, Message[]> {
  const blocks = new Map<number, Message[]>()
  for (const message of messages) {
    const block = blockOf(message.id)
    const there = blocks.get(block)
    if (there) there.push(message)
    else blocks.set(block, [message])
  }
  return blocks
}

/**
 * Returns a block with what the page knows now, without messages of channels that the user has lost. A kept message that a loaded list would
 * have to show, and does not, is gone.
 */
export function mergeBlock(
  state: ChatState,
  kept: readonly Message[],
  known: readonly Message[],
): readonly Message[] {
  const windows = [...state.windows.values()].filter(({ isLoaded, isStale }) => isLoaded && !isStale)
  const byId = new Map(known.map((message) => [message.id, message]))
  for (const message of kept) {
    if (byId.has(message.id) || windows.some((window) => lacks(state, window, message))) continue
    byId.set(message.id, message)
  }
  return [...byId.values()].filter((message) => isVisible(state, message)).sort((a, b) => a.id - b.id)
}

/** Whether the message would be in the window, if it were still there. */
function lacks(state: ChatState, { ids, narrow }: MessageWindow, message: Message): boolean {
  const isInReach = ids.length > 0 && message.id > ids[0]! && message.id < ids.at(-1)!
  return isInReach && !ids.includes(message.id) && belongsTo(state, narrow, message) === true
}

/** Answers as GET /messages would, if there were no other messages than these. */
export function answerFrom(
  state: ChatState,
  kept: readonly Message[],
  narrow: Narrow,
  params: PageOfMessages,
): FetchedMessages {
  const found = kept
    .filter((message) => isVisible(state, message) && belongsAsKept(state, narrow, message))
    .sort((a, b) => a.id - b.id)
  const anchor = anchorIn(found, params)
  const at = found.findIndex(({ id }) => id >= anchor)
  const first = at === -1 ? found.length : at
  const isThere = found[first]?.id === anchor
  const behind = isThere ? first + 1 : first
  const from = Math.max(first - (params.num_before ?? 0), 0)
  const to = Math.min(behind + (params.num_after ?? 0), found.length)
  const messages = found.slice(from, to)
  return {
    messages: params.include_anchor === false ? messages.filter(({ id }) => id !== anchor) : messages,
    found_oldest: from === 0,
    found_newest: to === found.length,
  }
}

function anchorIn(found: readonly Message[], { anchor, anchor_date }: PageOfMessages): number {
  if (typeof anchor === 'number') return anchor
  const newest = found.at(-1)?.id ?? 0
  if (anchor === 'oldest') return found[0]?.id ?? 0
  if (anchor === 'first_unread') return found.find(({ flags }) => !flags.includes('read'))?.id ?? newest
  if (anchor === 'date') {
    const from = Date.parse(anchor_date ?? '') / 1_000
    return found.find(({ timestamp }) => timestamp >= from)?.id ?? newest + 1
  }
  return newest
}

function isVisible(state: ChatState, { type, stream_id }: Message): boolean {
  return type === 'private' || mayRead(state, stream_id!)
}

/** Whether the user may still read a channel; one whose subscribers alone may is lost by leaving it. */
export function mayRead({ channels }: ChatState, channelId: number): boolean {
  const channel = channels.get(channelId)
  return channel !== undefined && (channel.subscription !== undefined || !channel.invite_only)
}

/** As `belongsTo`, but decides everything by the message itself: words by its text, links and pictures by its HTML. */
function belongsAsKept(state: ChatState, narrow: Narrow, message: Message): boolean {
  return narrow.every((term) => {
    if (term.operator === 'search') {
      const has = hasWords(textOf(message), term.operand)
      return has !== (term.negated === true)
    }
    if (term.operator === 'mentions')
      return message.content.includes(`data-user-id="${term.operand}"`) !== (term.negated === true)
    return belongsTo(state, [term], message) !== false
  })
}

/** The words of a message and of its topic; characters that HTML must escape count as they are there. */
function textOf({ type, subject, content }: Message): string {
  const words = content
    .replaceAll(/<[^<>]{0,2000}>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
  return `${type === 'stream' ? subject : ''} ${words}`
}
