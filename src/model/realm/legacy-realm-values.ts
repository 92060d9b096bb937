import {
  createChannelPolicy,
  createWebPublicChannelPolicy,
  wildcardMentionPolicy,
} from '../../rules/group-setting-values.ts'
import type { RealmTopicsPolicy } from '../../rules/topic-rules.ts'
import type { RealmSettings } from '../../store/realm/realm-properties.ts'

/**
 * Returns values that older clients read in place of today's settings, and second names of some, without `realm_`
 * (docs/interface/register.md#settings-of-the-organization-in-it; docs/decisions/interface.md#conventions). They follow
 * from the settings and are never stored.
 */
export function legacyRealmValues(
  realm: Pick<
    RealmSettings,
    | 'can_create_public_channel_group'
    | 'can_create_private_channel_group'
    | 'can_create_web_public_channel_group'
    | 'can_mention_many_users_group'
    | 'topics_policy'
    | 'message_edit_history_visibility_policy'
    | 'zulip_update_announcements_stream_id'
  >,
) {
  return {
    create_public_stream_policy: createChannelPolicy(realm.can_create_public_channel_group),
    create_private_stream_policy: createChannelPolicy(realm.can_create_private_channel_group),
    create_web_public_stream_policy: createWebPublicChannelPolicy(realm.can_create_web_public_channel_group),
    wildcard_mention_policy: wildcardMentionPolicy(realm.can_mention_many_users_group),
    mandatory_topics: areTopicsMandatory(realm.topics_policy),
    allow_edit_history: realm.message_edit_history_visibility_policy !== 'none',
    svc_update_announcements_stream_id: realm.zulip_update_announcements_stream_id,
  }
}

export function areTopicsMandatory(policy: RealmTopicsPolicy): boolean {
  return policy === 'disable_empty_topic'
}

/** Returns the policy for an older client's `mandatory_topics`. */
export function topicsPolicyOfMandatory(isMandatory: boolean): RealmTopicsPolicy {
  return isMandatory ? 'disable_empty_topic' : 'allow_empty_topic'
}
