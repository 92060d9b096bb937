import type { RealmView } from '../../../core/realm-transaction.ts'
import {
  requireMayMentionChannel,
  requireMayMentionGroup,
  requireMayMentionTopic,
  WILDCARD_MENTION_THRESHOLD,
} from '../../../permissions/mention-rules.ts'
import { realmPermissions } from '../../realm/realm-setting-rows.ts'
import { countSubscribers } from '../../subscriptions/subscription-rows.ts'
import { findGroups } from '../../user-groups/user-group-rows.ts'
import { findTopic } from '../topic-rows.ts'
import type { Composition } from './compose.ts'
import { topicParticipants } from './topic-participant-rows.ts'

/**
 * Refuses mentions of more people than the author may mention at once
 * (docs/interface/messages.md#edit-or-move-a-message, step 15).
 */
export function requireMayMention(
  view: Pick<RealmView, 'sql'>,
  { rendered, destination, author }: Composition,
): void {
  if (destination.kind === 'channel') {
    const { channel, topic } = destination
    const more = WILDCARD_MENTION_THRESHOLD + 1
    if (rendered.channelWildcard) {
      requireMayMentionChannel(
        author.actor,
        countSubscribers(view.sql, channel.id, more),
        realmPermissions(view.sql),
      )
    }
    if (rendered.topicWildcard) {
      const known = findTopic(view.sql, channel.id, topic)
      const participants = known ? topicParticipants(view.sql, known.id, author.user.id, more).length : 1
      requireMayMentionTopic(author.actor, participants, realmPermissions(view.sql))
    }
  }
  if (rendered.mentionedGroupIds.length === 0) return
  for (const group of findGroups(view.sql, rendered.mentionedGroupIds)) {
    requireMayMentionGroup(author.actor, group)
  }
}
