import * as v from 'valibot'
import { deleteTopic } from '../../domain/channels/delete-topic.ts'
import { topicDeleted } from '../audit-log/audit-notes.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo } from '../parameter-types.ts'

/**
 * Deletes a topic batch by batch, newest first; when time is up, the client is asked to repeat the request
 * for the rest (docs/interface/conventions.md#limits). Source: docs/interface/channels.md#delete-a-topic.
 */
export const deleteTopicEndpoint = defineEndpoint({
  operation: 'delete-topic',
  method: 'POST',
  path: '/streams/:stream_id/delete_topic',
  access: 'administrator',
  params: {
    stream_id: pathInteger,
    topic_name: v.pipe(
      textUpTo(NAME_LENGTH),
      v.description('The display name of the empty topic is read as the empty topic.'),
    ),
  },
  returns: v.object({ complete: v.boolean() }),
  command: deleteTopic,
  // Without the name: owners do not read every channel.
  audit: { ofEachCommit: topicDeleted },
})
