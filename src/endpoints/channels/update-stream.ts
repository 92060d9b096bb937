import * as v from 'valibot'
import { updateStream } from '../../domain/channels/change/update-stream.ts'
import { CHANNEL_TOPICS_POLICIES } from '../../permissions/topic-rules.ts'
import { changesIn } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { integer, json, jsonBoolean, pathInteger, textUpTo, wordOf } from '../parameter-types.ts'
import { groupSettingChanges, messageRetentionDays } from './channel-parameters.ts'

/** Changes a channel's name, description, privacy and permissions. Source: docs/interface/channels.md#change-a-channel. */
export const updateStreamEndpoint = defineEndpoint({
  operation: 'update-stream',
  method: 'PATCH',
  path: '/streams/:stream_id',
  access: 'user',
  params: {
    stream_id: pathInteger,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH)),
    new_name: v.optional(textUpTo(NAME_LENGTH)),
    is_private: v.optional(jsonBoolean),
    is_web_public: v.optional(jsonBoolean),
    history_public_to_subscribers: v.optional(jsonBoolean),
    is_default_stream: v.optional(jsonBoolean),
    default_push_notifications: v.optional(jsonBoolean),
    message_retention_days: v.optional(messageRetentionDays),
    is_archived: v.optional(jsonBoolean),
    folder_id: v.optional(json(v.nullable(integer))),
    topics_policy: v.optional(wordOf(CHANNEL_TOPICS_POLICIES)),
    ...groupSettingChanges,
  },
  returns: v.object({}),
  command: updateStream,
  audit: {
    whenChanged: ({ params }) => ({
      action: 'channel_changed',
      details: { stream_id: params.stream_id, ...changesIn(params) },
    }),
  },
})
