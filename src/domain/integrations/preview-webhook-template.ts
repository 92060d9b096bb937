import type { ReadCommand } from '../../core/command.ts'
import { BadRequestError } from '../../core/errors.ts'
import { findIntegration } from '../../integrations/index.ts'
import type { WebhookMessage } from '../../integrations/integration.ts'
import { readDelivery } from '../../integrations/read-delivery.ts'
import type { Caller } from '../caller.ts'
import { renderText } from '../messages/send/render-text.ts'
import { requireTemplate } from './require-template.ts'

export interface PreviewTemplateParams {
  readonly topic_template: string
  readonly text_template: string
  /** JSON, as the service would post it. */
  readonly payload: string
}

export interface PreviewedMessage extends Pick<WebhookMessage, 'topic'> {
  readonly content: string
  readonly rendered_content: string
}

/** Returns the message that a template would make of a payload. Nothing is sent. Source: docs/interface/webhooks.md#templates. */
export const previewWebhookTemplate: ReadCommand<Caller, PreviewTemplateParams, void, PreviewedMessage> = {
  reads: true,
  apply(tx, caller, { topic_template, text_template, payload }) {
    const template = { topic: requireTemplate(topic_template), text: requireTemplate(text_template) }
    const body = new TextEncoder().encode(payload)
    const arrived = { body, fields: new Map<string, string>(), isForm: false, header: () => '' }
    const read = readDelivery(findIntegration('template')!, arrived, {}, template)
    const message = read.kind === 'messages' ? read.messages[0] : undefined
    if (!message) throw new BadRequestError('Malformed JSON')
    const { html } = renderText(tx, caller, message.text, caller.source.origin, {})
    return { topic: message.topic, content: message.text, rendered_content: html }
  },
}
