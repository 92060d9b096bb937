import * as v from 'valibot'
import { integer } from '../../api/parameter-types.ts'
import { channelFolder } from '../../events/channel-folder.ts'
import { defaultStreamGroup } from '../../events/default-stream-groups.ts'
import { mutedTopicSchema } from '../../events/muted-topics.ts'
import { channelEntries } from '../../events/stream.ts'
import { subscriptionEntries } from '../../events/subscription.ts'
import { userTopicEntries } from '../../events/user-topic.ts'

const { subscribers, partial_subscribers } = subscriptionEntries
const subscription = v.object(subscriptionEntries)

/** Keys about channels and topics, by fetch type. Source: docs/interface/register.md#what-the-snapshot-has; docs/interface/channels.md#the-channel-object. */
export const channelKeys = {
  channel_folders: { channel_folders: v.array(channelFolder) },
  default_streams: { realm_default_streams: v.array(integer) },
  default_stream_groups: { realm_default_stream_groups: v.array(defaultStreamGroup) },
  muted_topics: { muted_topics: v.array(mutedTopicSchema) },
  stream: { streams: v.array(v.object(channelEntries)) },
  subscription: {
    subscriptions: v.array(subscription),
    unsubscribed: v.array(subscription),
    never_subscribed: v.array(v.object({ ...channelEntries, subscribers, partial_subscribers })),
  },
  user_topic: { user_topics: v.array(v.object(userTopicEntries)) },
}
