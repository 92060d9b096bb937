import * as v from 'valibot'
import { type DeletedBatch, deleteTopic } from '../../domain/channels/delete-topic.ts'
import { topicDeleted } from '../audit-log/audit-notes.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { integer, pathInteger, textUpTo } from '../parameter-types.ts'

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
  audit: { whenChanged: topicDeleted },
  idempotency: 'last-step',
  isLast: ({ complete }) => complete,
  async finish(first, params, worker) {
    const batch = await inSeveralCommits<DeletedBatch>(
      first,
      ({ complete }) => complete,
      async (before) => {
        const below = before.complete ? undefined : before.below
        return (await worker.run(deleteTopicBatchStep.operation, { ...params, below })) as DeletedBatch
      },
    )
    return { complete: batch.complete }
  },
})

/** Deletes one further batch, in a commit of its own. */
export const deleteTopicBatchStep = defineStep({
  operation: 'delete-topic-batch',
  access: 'administrator',
  params: { stream_id: integer, topic_name: textUpTo(NAME_LENGTH), below: v.optional(integer) },
  command: deleteTopic,
  audit: { whenChanged: topicDeleted },
  idempotency: 'last-step',
  isLast: ({ complete }) => complete,
})
