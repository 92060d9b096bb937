import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

/** Messages of a Zap, whose author writes them. Source: docs/interface/webhooks.md#services. */
export const zapier = declared({
  name: 'zapier',
  displayName: 'Zapier',
  body: 'form',
  topic: '{{topic}}',
  needs: '{{content}}',
  ...secretInAuthorization(),
  otherwise: { markdown: '{{content}}' },
})
