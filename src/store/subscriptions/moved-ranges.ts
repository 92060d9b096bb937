import type { MessageMove, MoveIntoChannel } from '../messages/move/message-move-rows.ts'

/** Message ids above `since`, up to `until`. */
export interface IdRange {
  readonly since: number
  readonly until: number
}

/** Facts about one user's past subscriptions. */
export interface PastOfUser {
  /** Returns the ranges for which the user was subscribed to a channel, regardless of moves. */
  periods(channelId: number): readonly IdRange[]
  subscribedAt(channelId: number, eventId: number): boolean
}

/**
 * Adjusts what a user received in a channel for the messages that were moved into it. They did not arrive when their ids say, so periods in
 * the channel do not decide about them. Users who had received them in their former channel, and were subscribed to this one at the move,
 * still have them; nobody else does. In a channel with protected history, everyone who was subscribed at the move has them.
 *
 * `held` returns which of a move's messages one user, or any of several, had after it. Neither a move nor a moved message therefore needs a
 * row for each receiver. Source: docs/interface/messages.md#what-moves; docs/decisions/design.md#no-row-for-each-recipient.
 */
export function withMoves(
  periods: readonly IdRange[],
  moves: readonly MoveIntoChannel[],
  held: (move: MoveIntoChannel) => readonly IdRange[],
): readonly IdRange[] {
  const parts = lastMoves(moves)
  const partsOf = Map.groupBy(parts, ({ move }) => move)
  const kept = [...partsOf].flatMap(([move, own]) => held(move).flatMap((range) => intersect(range, own)))
  return merged([...periods.flatMap((range) => subtract(range, parts)), ...kept])
}

/** A range of ids that came by this move, and by no later one. */
interface PartOfMove extends IdRange {
  readonly move: MoveIntoChannel
}

/**
 * Returns the last move of each range of ids: ascending, without overlaps. `moves`: oldest first. There may be a hundred thousand ranges.
 */
function lastMoves(moves: readonly MoveIntoChannel[]): readonly PartOfMove[] {
  let lists = moves.map((move): readonly PartOfMove[] =>
    move.ranges.map(([first, last]) => ({ since: first - 1, until: last, move })),
  )
  // Merges two neighbours at a time, so that each range is handled only a logarithmic number of times.
  while (lists.length > 1) {
    lists = Array.from({ length: Math.ceil(lists.length / 2) }, (_, at) =>
      laidOver(lists[2 * at]!, lists[2 * at + 1] ?? []),
    )
  }
  return lists[0] ?? []
}

/** Merges both lists, ascending: where they overlap the newer counts. */
function laidOver(older: readonly PartOfMove[], newer: readonly PartOfMove[]): readonly PartOfMove[] {
  if (older.length === 0 || newer.length === 0) return older.length === 0 ? newer : older
  if (newer.at(-1)!.until <= older[0]!.since) return newer.concat(older)
  if (older.at(-1)!.until <= newer[0]!.since) return older.concat(newer)
  const left = older.flatMap((part) => subtract(part, newer).map((range) => ({ ...range, move: part.move })))
  return [...left, ...newer].sort((a, b) => a.since - b.since)
}

/** Returns the ranges merged: ascending, as few as possible. */
export function merged(ranges: readonly IdRange[]): readonly IdRange[] {
  const ordered: { since: number; until: number }[] = []
  for (const { since, until } of [...ranges].sort((a, b) => a.since - b.since)) {
    const last = ordered.at(-1)
    if (last && since <= last.until) last.until = Math.max(last.until, until)
    else ordered.push({ since, until })
  }
  return ordered
}

/** Returns the moves of a message, newest first, down to the one that brought it into its channel; undefined if it was sent there. */
export function sinceArrival(chain: readonly MessageMove[]): readonly MessageMove[] | undefined {
  const at = chain.findIndex(({ channelId, prevChannelId }) => channelId !== prevChannelId)
  return at < 0 ? undefined : chain.slice(at)
}

const EVERYTHING: readonly IdRange[] = [{ since: 0, until: Number.MAX_SAFE_INTEGER }]

/**
 * Returns which of the messages that took these moves (newest first) the user has afterwards. The ranges are valid for those messages only.
 */
export function heldAfter(chain: readonly MessageMove[], past: PastOfUser): readonly IdRange[] {
  const steps = chain.filter(({ channelId }) => channelId !== null).toReversed()
  const origin = steps[0]!.prevChannelId!
  return steps.reduce<readonly IdRange[]>((held, step) => {
    if (!past.subscribedAt(step.channelId!, step.seq)) return []
    return step.subscribersReceived ? EVERYTHING : held
  }, past.periods(origin))
}

/** Returns a range minus these parts, which are ascending and do not overlap. There may be thousands of them. */
function subtract(range: IdRange, parts: readonly IdRange[]): readonly IdRange[] {
  const left: IdRange[] = []
  let since = range.since
  for (let at = firstEndingAbove(parts, since); at < parts.length; at += 1) {
    const part = parts[at]!
    if (part.since >= range.until) break
    if (since < part.since) left.push({ since, until: part.since })
    since = part.until
  }
  if (since < range.until) left.push({ since, until: range.until })
  return left
}

/** Returns the parts of ascending ranges, which do not overlap, that lie in the range. */
function intersect(range: IdRange, parts: readonly IdRange[]): readonly IdRange[] {
  const common: IdRange[] = []
  for (let at = firstEndingAbove(parts, range.since); at < parts.length; at += 1) {
    const part = parts[at]!
    if (part.since >= range.until) break
    common.push({ since: Math.max(range.since, part.since), until: Math.min(range.until, part.until) })
  }
  return common
}

function firstEndingAbove(parts: readonly IdRange[], id: number): number {
  let [low, high] = [0, parts.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (parts[middle]!.until > id) high = middle
    else low = middle + 1
  }
  return low
}
