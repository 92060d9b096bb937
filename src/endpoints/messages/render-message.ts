import * as v from 'valibot'
import { renderMessage } from '../../domain/messages/send/render-message.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { messageContent } from './message-parameters.ts'

/** Renders Markdown without sending it. Source: docs/interface/messages.md#render-a-text. */
export const renderMessageEndpoint = defineEndpoint({
  operation: 'render-message',
  method: 'POST',
  path: '/messages/render',
  access: 'user',
  params: { content: messageContent },
  returns: v.object({ rendered: v.string() }),
  command: renderMessage,
  audit: 'read-only',
})
