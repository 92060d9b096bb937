import type { MessageMove, MoveIntoChannel } from '../messages/message-move-rows.ts'

/** Message ids above `since`, up to `until`. */
export interface IdRange {
  readonly since: number
  readonly until: number
}

/** What is known of one user's past. */
export interface PastOfUser {
  /** What the user was subscribed for in a channel, moves left aside. */
  periods(channelId: number): readonly IdRange[]
  subscribedAt(channelId: number, eventId: number): boolean
  /** The channel moves that the messages of this one had before, newest first, itself among them. */
  chain(move: MoveIntoChannel): readonly MessageMove[]
}

/**
 * Corrects what a user received in a channel by the messages that were moved into it. Those did not come
 * when their ids say, so periods in the channel tell nothing of them: whoever had received them where they
 * were sent, and was subscribed to the channel when they came, has them still; nobody else has. In a
 * channel with protected history all who were subscribed then have them.
 *
 * So neither a move nor a moved message needs a row for each of its receivers.
 * Source: docs/interface/messages.md#what-moves; docs/decisions/design.md#no-row-for-each-recipient.
 */
export function withMoves(
  periods: readonly IdRange[],
  moves: readonly MoveIntoChannel[],
  past: PastOfUser,
): readonly IdRange[] {
  return moves.reduce<readonly IdRange[]>((ranges, move) => {
    const held = heldAfter(move, past)
    const parts = move.runs.map(([first, last]) => ({ since: first - 1, until: last }))
    const kept = held.flatMap((range) => intersect(range, parts))
    return [...ranges.flatMap((range) => subtract(range, parts)), ...kept]
  }, periods)
}

/**
 * The same of a few messages and many users: has the user received any of them? Which move brought each is found once,
 * however many ranges came by the moves.
 */
export function receivedAnyOf(
  messageIds: readonly number[],
  moves: readonly MoveIntoChannel[],
): (periods: readonly IdRange[], past: PastOfUser) => boolean {
  const broughtBy = Map.groupBy(messageIds, (id) => moves.findLast(({ runs }) => covers(runs, id)))
  return (periods, past) =>
    [...broughtBy].some(([move, ids]) => {
      const held = move ? heldAfter(move, past) : periods
      return ids.some((id) => held.some(({ since, until }) => id > since && id <= until))
    })
}

/** Ranges, both ends included: ascending, and they do not overlap. */
function covers(runs: MoveIntoChannel['runs'], id: number): boolean {
  let [low, high] = [0, runs.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (runs[middle]![1] >= id) high = middle
    else low = middle + 1
  }
  return low < runs.length && runs[low]![0] <= id
}

const EVERYTHING: readonly IdRange[] = [{ since: 0, until: Number.MAX_SAFE_INTEGER }]

/** Which of the messages of a move the user has afterwards, as ranges that are good for those alone. */
function heldAfter(move: MoveIntoChannel, past: PastOfUser): readonly IdRange[] {
  const steps = past
    .chain(move)
    .filter(({ channelId }) => channelId !== null)
    .toReversed()
  const origin = steps[0]!.prevChannelId!
  return steps.reduce<readonly IdRange[]>((held, step) => {
    if (!past.subscribedAt(step.channelId!, step.seq)) return []
    return step.subscribersReceived ? EVERYTHING : held
  }, past.periods(origin))
}

/** What is left of a range without these parts, which are ascending and do not overlap. There may be thousands. */
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

/** Of ascending parts that do not overlap. */
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
