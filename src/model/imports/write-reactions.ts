import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import type { Emoji } from '../../store/emoji/emoji-lookup.ts'
import { digestOf } from './digest.ts'
import { type ImportWork, targetOf, unlessRefused } from './import-work.ts'
import { emojiOf } from './write-emoji.ts'

/** Limit of the reactions, stars and unread marks of a message: far more than occur. */
export const MARKS_OF_MESSAGE = 1_000

/** A reaction of an account here. */
export interface Given extends Emoji {
  readonly userId: number
}

/** Returns the reactions of a message of the source with accounts and emoji of here; those without are listed. */
export function givenReactions(
  tx: RealmTransaction,
  work: ImportWork,
  { id, reactions }: RecordOf<'message'>,
): Given[] {
  const { tally } = work
  const given = new Set<string>()
  if (reactions && reactions.length > MARKS_OF_MESSAGE) tally.problem('message with too many reactions', id)
  return (reactions ?? []).slice(0, MARKS_OF_MESSAGE).flatMap((reaction) => {
    const userId = targetOf(tx, work, 'user', reaction.user)
    if (userId === undefined) {
      tally.problem('reaction of an unknown person', `${id}: ${reaction.user}`)
      return []
    }
    const emoji = unlessRefused(work, 'unknown emoji', id, () => emojiOf(tx, work, reaction))
    const own = emoji && `${userId} ${emoji.reaction_type} ${emoji.emoji_code}`
    if (!own || given.has(own)) return []
    given.add(own)
    return { userId, ...emoji }
  })
}

/** Returns a digest of reactions in whatever order. */
export function marksOf(given: readonly Given[]): number {
  return digestOf(given.map(keyOfReaction).sort().join('\n'))
}

/** Returns what no two reactions to a message have in common. */
export function keyOfReaction({ userId, reaction_type, emoji_code }: Given): string {
  return `${userId} ${reaction_type} ${emoji_code}`
}
