import { beginBrowserSession } from '../../domain/browser-sessions/begin-browser-session.ts'
import { defineStep } from '../define-endpoint.ts'

export const beginBrowserSessionStep = defineStep({
  operation: 'begin-browser-session',
  access: 'anyone',
  command: beginBrowserSession,
})
