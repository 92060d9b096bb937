import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import { type MarkedRead, markChannelRead } from '../../domain/messages/flags/mark-channel-read.ts'
import { defineEndpoint, defineStep, type WorkerContext } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { integer, jsonInteger } from '../parameter-types.ts'
import { messagesToMark } from '../step-types.ts'

/** Marks a channel's messages read. Source: docs/interface/reading.md#mark-as-read. */
export const markChannelReadEndpoint = defineEndpoint({
  operation: 'mark-channel-read',
  method: 'POST',
  path: '/mark_stream_as_read',
  access: 'user',
  params: { stream_id: jsonInteger },
  returns: v.object({}),
  command: markChannelRead,
  audit: 'own',
  idempotency: 'last-step',
  isLast: areAllMarked,
  finish: (first, params, worker) => markTheRest(first, markChannelReadStep.operation, params, worker),
})

/** Marks a further part of thousands of messages, in a commit of its own. */
export const markChannelReadStep = defineStep({
  operation: 'mark-channel-read-step',
  access: 'user',
  params: { stream_id: integer, rest: v.optional(messagesToMark) },
  command: markChannelRead,
  audit: 'step',
  idempotency: 'last-step',
  isLast: areAllMarked,
})

/** @throws ServiceUnavailableError when time is up: the same request repeated marks the rest. */
export async function markTheRest(
  first: MarkedRead,
  step: string,
  params: object,
  worker: WorkerContext,
): Promise<object> {
  const last = await inSeveralCommits(
    first,
    areAllMarked,
    async (before) => (await worker.run(step, { ...params, ...before })) as MarkedRead,
  )
  if (!areAllMarked(last)) throw new ServiceUnavailableError()
  return last
}

export function areAllMarked(result: MarkedRead): boolean {
  return !('rest' in result)
}
