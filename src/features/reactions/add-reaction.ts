import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import { NAME_LENGTH } from '../../api/input-limits.ts'
import { pathInteger, textUpTo, word } from '../../api/parameter-types.ts'
import { BadRequestError, ReactionExistsError } from '../../core/errors.ts'
import { MESSAGE_QUOTAS } from '../../core/quotas.ts'
import type { RealmReads, RealmTransaction } from '../../core/realm-transaction.ts'
import { normalReactionType } from '../../events/reaction-type.ts'
import type { Caller } from '../../model/caller.ts'
import { ensureRecord } from '../../model/messages/flags/historical-records.ts'
import { requireModifiableMessage } from '../../model/messages/read/message-access.ts'
import { followAfterReaction } from '../../model/user-topics/automatic-policies.ts'
import { customEmojiOf } from '../../store/emoji/custom-emoji-rows.ts'
import {
  type CustomEmojiLookup,
  type Emoji,
  emojiNamed,
  requireEmoji,
  underPresentName,
} from '../../store/emoji/emoji-lookup.ts'
import { countReactions, findReaction, oldestReactionWith } from '../../store/reactions/reaction-rows.ts'
import { putReaction } from './change-reaction.ts'

/** Reacts to a message with an emoji. Source: docs/interface/messages.md#add-or-remove-a-reaction. */
export const addReactionEndpoint = defineEndpoint({
  operation: 'add-reaction',
  method: 'POST',
  path: '/messages/:message_id/reactions',
  access: 'user',
  growsObject: true,
  params: {
    message_id: pathInteger,
    emoji_name: textUpTo(NAME_LENGTH),
    emoji_code: v.optional(word),
    reaction_type: v.optional(
      v.pipe(
        word,
        v.description(
          '`unicode_emoji`, `realm_emoji` or `svc_extra_emoji`. By default it follows from the name.',
        ),
      ),
    ),
  },
  returns: v.object({}),
  command: { apply: addReaction },
  audit: 'speech',
})

interface AddReactionParams {
  readonly message_id: number
  readonly emoji_name: string
  readonly emoji_code?: string
  readonly reaction_type?: string
}

/**
 * Adds a reaction. Others may join an existing reaction even if the emoji's name or its picture no longer
 * exists. Source: docs/interface/messages.md#add-or-remove-a-reaction.
 */
function addReaction(tx: RealmTransaction, caller: Caller, params: AddReactionParams): object {
  const message = requireModifiableMessage(tx, caller, params.message_id)
  const custom = customEmojiOf(tx.sql)
  const emoji = emojiOf(params, custom)
  if (findReaction(tx.sql, message.id, caller.user.id, emoji)) throw new ReactionExistsError()
  const oldest = oldestReactionWith(tx.sql, message.id, emoji)
  if (!oldest) requireEmoji(emoji, custom)
  requireRoom(tx, message.id, caller.user.id)
  ensureRecord(tx, caller, message)
  putReaction(tx, caller.user, message, {
    ...emoji,
    emoji_name: oldest?.emoji_name ?? emoji.emoji_name,
    messageId: message.id,
    userId: caller.user.id,
  })
  followAfterReaction(tx, caller, message)
  return {}
}

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

/** Returns the emoji of a reaction. Missing fields follow from the name. */
function emojiOf(
  { emoji_name, emoji_code, reaction_type }: AddReactionParams,
  custom: CustomEmojiLookup,
): Emoji {
  if (emoji_code !== undefined && reaction_type !== undefined) {
    return underPresentName({ emoji_name, emoji_code, reaction_type: normalReactionType(reaction_type) })
  }
  const named = emojiNamed(emoji_name, custom)
  return underPresentName({
    emoji_name,
    emoji_code: emoji_code ?? named.emoji_code,
    reaction_type: reaction_type === undefined ? named.reaction_type : normalReactionType(reaction_type),
  })
}
