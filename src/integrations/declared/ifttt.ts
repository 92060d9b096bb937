import { declared } from './declaration.ts'

/** Messages of an applet, whose author writes them. Source: docs/interface/webhooks.md#services. */
export const ifttt = declared({
  name: 'ifttt',
  displayName: 'IFTTT',
  body: 'form',
  topic: '{{topic}}',
  needs: '{{content}}',
  otherwise: { markdown: '{{content}}' },
})
