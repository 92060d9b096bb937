import type { Operation } from '../../api/define-endpoint.ts'
import { deleteBrowserSessionEndpoint } from './delete-browser-session.ts'
import { endBrowserSessionStep } from './end-browser-session.ts'
import { getBrowserSessionsEndpoint } from './get-browser-sessions.ts'
import { getPageFactsStep } from './get-page-facts.ts'
import { logOutElsewhereEndpoint } from './log-out-elsewhere.ts'

export const BROWSER_SESSION_ENDPOINTS = [
  getBrowserSessionsEndpoint,
  deleteBrowserSessionEndpoint,
  logOutElsewhereEndpoint,
]
export const BROWSER_SESSION_STEPS: readonly Operation[] = [endBrowserSessionStep, getPageFactsStep]
