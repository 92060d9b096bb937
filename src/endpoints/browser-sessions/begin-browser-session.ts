import { beginBrowserSession } from '../../domain/browser-sessions/begin-browser-session.ts'
import { defineStep } from '../define-endpoint.ts'
import { digest, entered, passwordCheck } from '../step-types.ts'

export const beginBrowserSessionStep = defineStep({
  operation: 'begin-browser-session',
  access: 'anyone',
  params: { username: entered, ...passwordCheck, digest },
  command: beginBrowserSession,
  audit: ({ value }) => ({
    action: 'login',
    actorId: value.user_id,
    details: { user_id: value.user_id },
  }),
})
