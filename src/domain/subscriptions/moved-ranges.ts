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
 * Source: behaviour 4.2, effects of a channel move; DESIGN 4.
 */
export function withMoves(
  periods: readonly IdRange[],
  moves: readonly MoveIntoChannel[],
  past: PastOfUser,
): readonly IdRange[] {
  return moves.reduce<readonly IdRange[]>((ranges, move) => {
    const held = heldAfter(move, past)
    const parts = move.runs.map(([first, last]) => ({ since: first - 1, until: last }))
    const kept = parts.flatMap((part) => intersect(held, part))
    return [...parts.reduce(subtract, ranges), ...kept]
  }, periods)
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

function subtract(ranges: readonly IdRange[], { since, until }: IdRange): readonly IdRange[] {
  return ranges.flatMap((range) =>
    [
      { since: range.since, until: Math.min(range.until, since) },
      { since: Math.max(range.since, until), until: range.until },
    ].filter((rest) => rest.since < rest.until),
  )
}

function intersect(ranges: readonly IdRange[], { since, until }: IdRange): IdRange[] {
  return ranges
    .map((range) => ({ since: Math.max(range.since, since), until: Math.min(range.until, until) }))
    .filter((range) => range.since < range.until)
}
