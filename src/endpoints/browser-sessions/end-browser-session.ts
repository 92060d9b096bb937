import { endBrowserSession } from '../../domain/browser-sessions/end-browser-session.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest } from '../step-types.ts'

export const endBrowserSessionStep = defineStep({
  operation: 'end-browser-session',
  access: 'anyone',
  params: { digest },
  command: endBrowserSession,
  audit: 'own',
})
