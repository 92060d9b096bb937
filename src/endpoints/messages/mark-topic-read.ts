import * as v from 'valibot'
import { markTopicRead } from '../../domain/messages/flags/mark-topic-read.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { NAME_LENGTH } from '../input-limits.ts'
import { integer, jsonInteger, textUpTo } from '../parameter-types.ts'
import { messagesToMark } from '../step-types.ts'
import { areAllMarked, markTheRest } from './mark-channel-read.ts'

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
  idempotency: 'last-step',
  isLast: areAllMarked,
  finish: (first, params, worker) => markTheRest(first, markTopicReadStep.operation, params, worker),
})

/** Marks a further part of thousands of messages, in a commit of its own. */
export const markTopicReadStep = defineStep({
  operation: 'mark-topic-read-step',
  access: 'user',
  params: { stream_id: integer, topic_name: textUpTo(NAME_LENGTH), rest: v.optional(messagesToMark) },
  command: markTopicRead,
  audit: 'step',
  idempotency: 'last-step',
  isLast: areAllMarked,
})
