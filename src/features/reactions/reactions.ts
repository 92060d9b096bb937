import * as v from 'valibot'
import { defineEndpoint, type ParametersOf } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { described, pathInteger, textUpTo, word } from '../../api/parameter-types.ts'
import { unqualifiedEmojiCode } from '../../core/emoji-code.ts'
import { BadRequestError, ReactionDoesNotExistError, ReactionExistsError } from '../../core/errors.ts'
import { MESSAGE_QUOTAS } from '../../core/quotas.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { normalReactionType } from '../../events/message-additions.ts'
import { ensureRecord } from '../../model/editing/change-flag.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { announceReaction, takeReaction } from '../../model/reactions/take-reaction.ts'
import { followAfterReaction } from '../../model/sending/automatic-policies.ts'
import { customEmojiOf } from '../../store/emoji/custom-emoji-rows.ts'
import {
  type CustomEmojiLookup,
  emojiNamed,
  formerCodesOf,
  inPresentForm,
  requireEmoji,
  type SentEmoji,
} from '../../store/emoji/emoji-lookup.ts'
import { MESSAGE_BIT } from '../../store/messages/flags/message-bits.ts'
import type { IndexedMessage } from '../../store/messages/message-rows.ts'
import { changeMessageBits } from '../../store/messages/recent-message-rows.ts'
import {
  countReactions,
  findReaction,
  insertReaction,
  oldestReactionWith,
  type Reaction,
  settleReactions,
} from '../../store/reactions/reaction-rows.ts'
import type { User } from '../../store/users/user-rows.ts'

const addReactionParams = {
  message_id: pathInteger,
  emoji_name: textUpTo(NAME_LENGTH),
  emoji_code: v.optional(word),
  reaction_type: v.optional(
    described(
      word,
      '`unicode_emoji`, `realm_emoji` or `svc_extra_emoji`. By default it follows from the name.',
    ),
  ),
}
type AddReactionParams = ParametersOf<typeof addReactionParams>

/**
 * Reacts to a message with an emoji. Others may join an existing reaction even if the emoji's name or picture no longer exists. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
export const addReactionEndpoint = defineEndpoint({
  operation: 'add-reaction',
  route: 'POST /messages/:message_id/reactions',
  access: 'user',
  growsObject: true,
  params: addReactionParams,
  apply(tx, caller, params) {
    const message = requireModifiableMessage(tx, caller, params.message_id)
    settleReactions(tx.sql, message.id)
    const custom = customEmojiOf(tx.sql)
    const sent = emojiOf(params, custom)
    if (findReaction(tx.sql, message.id, caller.user.id, sent)) throw new ReactionExistsError()
    const emoji = oldestReactionWith(tx.sql, message.id, sent) ?? requireEmoji(sent, custom)
    requireRoom(tx, message.id, caller.user.id)
    ensureRecord(tx, caller, message)
    putReaction(tx, caller.user, message, {
      ...emoji,
      messageId: message.id,
      userId: caller.user.id,
    })
    followAfterReaction(tx, caller, message)
  },
  audit: 'speech',
})

function requireRoom({ sql }: Pick<RealmReads, 'sql'>, messageId: number, userId: number): void {
  const quota = MESSAGE_QUOTAS.reactions
  const { all, own } = countReactions(sql, messageId, userId)
  if (own >= quota.account) {
    throw new BadRequestError(`A message cannot have more reactions than ${quota.account} from one account.`)
  }
  if (all >= quota.message) {
    throw new BadRequestError(`A message cannot have more reactions than ${quota.message}.`)
  }
}

/** Returns a reaction's emoji. Missing fields follow from the name. */
function emojiOf(
  { emoji_name, emoji_code, reaction_type }: AddReactionParams,
  custom: CustomEmojiLookup,
): SentEmoji {
  if (emoji_code !== undefined && reaction_type !== undefined) {
    return inPresentForm({ emoji_name, emoji_code, reaction_type: normalReactionType(reaction_type) })
  }
  const named = emojiNamed(emoji_name, custom)
  return inPresentForm({
    emoji_name,
    emoji_code: emoji_code ?? named.emoji_code,
    reaction_type: reaction_type === undefined ? named.reaction_type : normalReactionType(reaction_type),
  })
}

const removeReactionParams = {
  message_id: pathInteger,
  emoji_name: v.optional(textUpTo(NAME_LENGTH)),
  emoji_code: v.optional(word),
  reaction_type: v.optional(word, 'unicode_emoji'),
}
type RemoveReactionParams = ParametersOf<typeof removeReactionParams>

/**
 * Removes the caller's own reaction from a message. The emoji need not exist any more. Source:
 * docs/interface/messages.md#add-or-remove-a-reaction.
 */
export const removeReactionEndpoint = defineEndpoint({
  operation: 'remove-reaction',
  route: 'DELETE /messages/:message_id/reactions',
  access: 'user',
  params: removeReactionParams,
  apply(tx, caller, params) {
    const message = requireModifiableMessage(tx, caller, params.message_id)
    settleReactions(tx.sql, message.id)
    const reaction_type = normalReactionType(params.reaction_type)
    const own = emojiCodesOf(params, customEmojiOf(tx.sql))
      .map((emoji_code) => findReaction(tx.sql, message.id, caller.user.id, { emoji_code, reaction_type }))
      .find((found) => found !== undefined)
    if (!own) throw new ReactionDoesNotExistError()
    takeReaction(tx, caller.user, message, own)
  },
  audit: 'speech',
})

/** Returns the codes that the reaction may have: by name alone, also those of emoji that had the name before. */
function emojiCodesOf({ emoji_name, emoji_code }: RemoveReactionParams, custom: CustomEmojiLookup): string[] {
  if (emoji_code !== undefined) return [unqualifiedEmojiCode(emoji_code)]
  if (emoji_name === undefined) {
    throw new BadRequestError(
      'At least one of the following arguments must be present: emoji_name, emoji_code',
    )
  }
  return [emojiNamed(emoji_name, custom).emoji_code, ...formerCodesOf(emoji_name)]
}

/** Stores the user's reaction and notifies the message's receivers. Source: docs/interface/messages.md#add-or-remove-a-reaction. */
function putReaction(tx: RealmTransaction, user: User, message: IndexedMessage, reaction: Reaction): void {
  insertReaction(tx.sql, reaction)
  if ((message.bits & MESSAGE_BIT.hasReaction) === 0) {
    changeMessageBits(tx.sql, message.id, message.bits | MESSAGE_BIT.hasReaction)
  }
  announceReaction(tx, 'add', user, message, reaction)
}
