import * as v from 'valibot'
import { markTopicRead } from '../../domain/messages/flags/mark-topic-read.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { jsonInteger, textUpTo } from '../parameter-types.ts'

/** Marks a topic's messages read. Source: docs/interface/reading.md#mark-as-read. */
export const markTopicReadEndpoint = defineEndpoint({
  operation: 'mark-topic-read',
  method: 'POST',
  path: '/mark_topic_as_read',
  access: 'user',
  params: { stream_id: jsonInteger, topic_name: textUpTo(NAME_LENGTH) },
  returns: v.object({}),
  command: markTopicRead,
  audit: 'own',
})
