import type { RealmView } from '../../core/realm-transaction.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import type { MessageFacts, PresentedMessage } from '../messages/read/present-message.ts'
import { publicEmail } from '../users/addresses/api-email.ts'

/**
 * Returns messages in the form for spectators: read, and with only the part of their history since they came to their
 * present, public channel. Earlier texts and names stay hidden. Source: docs/interface/visitors.md#messages;
 * docs/decisions/interface.md#stricter-than-the-public-server.
 */
export function inPublicForm(
  view: Pick<RealmView, 'sql' | 'realm'>,
  messages: readonly PresentedMessage[],
): PresentedMessage[] {
  const isOpen = (id: number) => {
    const channel = findChannel(view.sql, id)
    return channel !== undefined && isOpenToSpectators(channel)
  }
  return messages.map((message) => {
    // Moves are ordered newest first.
    const arrival = message.moves.findIndex(
      ({ prevChannelId }) => prevChannelId !== null && !isOpen(prevChannelId),
    )
    return {
      ...message,
      facts: withoutAddresses(view, message.facts),
      ...(arrival < 0
        ? {}
        : { moves: message.moves.slice(0, arrival), editsAfter: message.moves[arrival]!.seq }),
    }
  })
}

/** Returns the facts without people's real addresses, which are not for the whole web, even if colleagues see them. */
function withoutAddresses(view: Pick<RealmView, 'sql' | 'realm'>, facts: MessageFacts): MessageFacts {
  return {
    ...facts,
    flags: ['read'],
    sender_email: publicEmail(findUser(view.sql, facts.sender_id)!, view.realm),
    reactions: facts.reactions.map((reaction) => ({
      ...reaction,
      user: { ...reaction.user, email: publicEmail(findUser(view.sql, reaction.user_id)!, view.realm) },
    })),
  }
}
