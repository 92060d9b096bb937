import { secretInAuthorization } from '../signatures.ts'
import { declared } from './declaration.ts'

/** Notifications of Home Assistant, whose owner writes them. Source: docs/interface/webhooks.md#services. */
export const homeassistant = declared({
  name: 'homeassistant',
  displayName: 'Home Assistant',
  body: 'form',
  topic: '{{topic}}',
  needs: '{{message}}',
  ...secretInAuthorization(),
  otherwise: { markdown: '{{?{{title | bold}}\n\n?}}{{message}}' },
})
