import * as v from 'valibot'
import { REALM_CALLS_OF_ONE_REQUEST } from '../../core/budgets.ts'
import { type DeletedBatch, deleteTopic } from '../../domain/channels/delete-topic.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { pathInteger, textUpTo } from '../parameter-types.ts'

/** After so long no further batch is begun, and the client is to ask again (behaviour 0.10). */
const BUDGET_MS = 50_000

/** Deletes a topic batch by batch, newest first. Source: SPEC 4.14. */
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
  idempotency: 'last-step',
  isLast: ({ complete }) => complete,
  async finish(first, params, worker) {
    const deadline = Date.now() + BUDGET_MS
    let batch: DeletedBatch = first
    for (let calls = 1; !batch.complete && calls < REALM_CALLS_OF_ONE_REQUEST; calls += 1) {
      if (Date.now() >= deadline) break
      batch = (await worker.run(deleteTopicBatchStep.operation, {
        ...params,
        below: batch.below,
      })) as DeletedBatch
    }
    return { complete: batch.complete }
  },
})

/** Each further batch, a commit of its own. */
export const deleteTopicBatchStep = defineStep({
  operation: 'delete-topic-batch',
  access: 'administrator',
  command: deleteTopic,
  idempotency: 'last-step',
  isLast: ({ complete }) => complete,
})
