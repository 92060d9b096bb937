import { fairScheduler } from '../../../core/fair-scheduler.ts'
import { contentHtmlDiff, newComparisonBudget } from '../../../markdown/content-diff.ts'
import type { MessageMove } from '../../../store/messages/move/message-move-rows.ts'
import type { RealmProperties } from '../../../store/realm/realm-properties.ts'
import { presentTopic } from '../topic-of-message.ts'
import type { ReadableHistory } from './moves-of-messages.ts'

export type EditHistoryPolicy = RealmProperties['message_edit_history_visibility_policy']

/** An edit of the content, as the body in D1 has it. */
export interface StoredContentEdit {
  readonly user_id: number
  /** UNIX seconds. */
  readonly timestamp: number
  readonly prev_content: string
  readonly prev_rendered_content: string
  /** Log id of its event, which is never sent. */
  readonly seq: number
  /** Whether it was no edit: an import has added the files of the message. */
  readonly isUnseen?: true
}

/**
 * Length of a message's history, in characters of JSON in JSON, as the log has it. Without a limit, each edit would cost
 * more than the one before, until the message could not be edited any more.
 */
const MAX_HISTORY_LENGTH = 700_000
/** Characters of HTML that are compared in one turn of the Worker, not counting the last edit: up to 30 ms. */
const CHARACTERS_OF_ONE_SLICE = 20_000

/** Adds an edit to the others, newest first. If there are too many, the oldest are dropped, but never the first, with the original text. */
export function withEdit(
  edit: StoredContentEdit,
  before: readonly StoredContentEdit[],
): readonly StoredContentEdit[] {
  const original = before.at(-1)
  const others = before.slice(0, -1)
  let room = MAX_HISTORY_LENGTH - lengthOf(edit)
  const keepsOriginal = original !== undefined && lengthOf(original) <= room
  if (keepsOriginal) room -= lengthOf(original)
  const end = others.findIndex((other) => {
    room -= lengthOf(other)
    return room < 0
  })
  return [edit, ...(end < 0 ? others : others.slice(0, end)), ...(keepsOriginal ? [original] : [])]
}

function lengthOf(edit: StoredContentEdit): number {
  return JSON.stringify(JSON.stringify(edit)).length
}

/** An entry of `edit_history` for clients. Source: docs/interface/messages.md#the-message-object. */
export interface EditHistoryEntry {
  readonly user_id: number
  readonly timestamp: number
  readonly prev_content?: string
  readonly prev_rendered_content?: string
  readonly prev_topic?: string
  readonly topic?: string
  readonly prev_stream?: number
  readonly stream?: number
}

/**
 * Merges the readable part of a message's history, newest first: edits of the content, from its body, and moves, from the index. The
 * changes of one request are one entry (docs/interface/messages.md#what-moves).
 */
export function mergeEditHistory(
  edits: readonly StoredContentEdit[],
  { moves, editsAfter = -1 }: ReadableHistory,
): EditHistoryEntry[] {
  const entries = new Map<number, EditHistoryEntry>()
  for (const move of moves) entries.set(move.seq, presentMove(move))
  for (const { seq, isUnseen, ...edit } of edits) {
    if (seq > editsAfter && !isUnseen) entries.set(seq, { ...edit, ...entries.get(seq) })
  }
  return [...entries].sort(([a], [b]) => b - a).map(([, entry]) => entry)
}

/** Returns the entries of a message's history that its readers may see; undefined for none, so that the key is left out. */
export function presentEditHistory(
  history: readonly EditHistoryEntry[],
  policy: EditHistoryPolicy,
  allowEmptyTopic: boolean,
): EditHistoryEntry[] | undefined {
  if (policy === 'none') return undefined
  const shown = history.flatMap((entry) => {
    const named = withTopicsNamed(entry, allowEmptyTopic)
    if (policy === 'all') return [named]
    const { prev_content: _content, prev_rendered_content: _rendered, ...move } = named
    return isMove(move) ? [move] : []
  })
  return shown.length === 0 ? undefined : shown
}

function isMove(entry: EditHistoryEntry): boolean {
  return entry.topic !== undefined || entry.stream !== undefined
}

function presentMove(move: MessageMove): EditHistoryEntry {
  return {
    user_id: move.userId,
    timestamp: move.at,
    ...(move.topic === null ? {} : { prev_topic: move.prevTopic!, topic: move.topic }),
    ...(move.channelId === null ? {} : { prev_stream: move.prevChannelId!, stream: move.channelId }),
  }
}

function withTopicsNamed(entry: EditHistoryEntry, allowEmptyTopic: boolean): EditHistoryEntry {
  if (entry.topic === undefined) return entry
  return {
    ...entry,
    prev_topic: presentTopic(entry.prev_topic!, allowEmptyTopic),
    topic: presentTopic(entry.topic, allowEmptyTopic),
  }
}

/** A state of a message, and the change that led to it. Source: docs/interface/messages.md#edit-history. */
export interface MessageSnapshot extends EditHistoryEntry {
  readonly topic: string
  readonly content: string
  readonly rendered_content: string
  readonly content_html_diff?: string
}

/** A message in its present state, with its history, newest first. */
interface MessagePast {
  readonly senderId: number
  readonly sentAt: number
  readonly topic: string
  /** Direct messages do not have even an empty topic. */
  readonly isDirect: boolean
  readonly content: string
  readonly renderedContent: string
  readonly entries: readonly EditHistoryEntry[]
}

/**
 * Returns the states, oldest first: the original, then one after each edit that may be shown (docs/interface/messages.md#edit-history). If
 * only moves may be shown, each state has the present content, so that no former text is revealed.
 */
export async function presentSnapshots(
  past: MessagePast,
  policy: Exclude<EditHistoryPolicy, 'none'>,
  allowEmptyTopic: boolean,
): Promise<MessageSnapshot[]> {
  const nameOf = (topic: string) => (past.isDirect ? topic : presentTopic(topic, allowEmptyTopic))
  let { topic, content, renderedContent } = past
  const budget = newComparisonBudget()
  let charactersOfSlice = 0
  const later: { entry: EditHistoryEntry; snapshot: MessageSnapshot }[] = []
  for (const entry of past.entries) {
    const { prev_content, prev_rendered_content, prev_topic, prev_stream, stream } = entry
    const showsContent = prev_content !== undefined && policy === 'all'
    const snapshot: MessageSnapshot = {
      topic: nameOf(topic),
      content,
      rendered_content: renderedContent,
      timestamp: entry.timestamp,
      user_id: entry.user_id,
      ...(prev_topic === undefined ? {} : { prev_topic: nameOf(prev_topic) }),
      ...(stream === undefined ? {} : { prev_stream, stream }),
      ...(showsContent
        ? {
            prev_content,
            prev_rendered_content,
            content_html_diff: contentHtmlDiff(prev_rendered_content!, renderedContent, budget),
          }
        : {}),
    }
    topic = prev_topic ?? topic
    if (showsContent) {
      content = prev_content
      charactersOfSlice += renderedContent.length + prev_rendered_content!.length
      renderedContent = prev_rendered_content!
    }
    later.push({ entry, snapshot })
    if (charactersOfSlice > CHARACTERS_OF_ONE_SLICE) {
      charactersOfSlice = 0
      await fairScheduler.nextSlice()
    }
  }
  const original: MessageSnapshot = {
    topic: nameOf(topic),
    content,
    rendered_content: renderedContent,
    timestamp: past.sentAt,
    user_id: past.senderId,
  }
  const shown = later.filter(({ entry }) => policy === 'all' || isMove(entry))
  return [original, ...shown.map(({ snapshot }) => snapshot).toReversed()]
}
