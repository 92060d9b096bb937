import * as v from 'valibot'
import { markAllRead } from '../../domain/messages/flags/mark-all-read.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** Marks everything read. Source: docs/interface/reading.md#mark-as-read. */
export const markAllReadEndpoint = defineEndpoint({
  operation: 'mark-all-read',
  method: 'POST',
  path: '/mark_all_as_read',
  access: 'user',
  params: {},
  returns: v.object({ complete: v.boolean() }),
  command: markAllRead,
  audit: 'own',
})
