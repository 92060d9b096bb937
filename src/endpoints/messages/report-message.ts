import * as v from 'valibot'
import { reportMessage } from '../../domain/messages/send/report-message.ts'
import { REPORT_TYPES } from '../../domain/messages/send/report-reasons.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { pathInteger, trimmedTextUpTo, wordOf } from '../parameter-types.ts'

const MAX_DESCRIPTION_LENGTH = 1_000

/** Reports a message to the moderators. Source: docs/interface/messages.md#report-a-message. */
export const reportMessageEndpoint = defineEndpoint({
  operation: 'report-message',
  method: 'POST',
  path: '/messages/:message_id/report',
  access: 'user',
  growsObject: true,
  params: {
    message_id: pathInteger,
    report_type: wordOf(REPORT_TYPES),
    description: v.optional(trimmedTextUpTo(MAX_DESCRIPTION_LENGTH), ''),
  },
  returns: v.object({}),
  command: reportMessage,
  audit: 'speech',
})
