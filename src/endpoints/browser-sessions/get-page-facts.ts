import { getPageFacts } from '../../domain/browser-sessions/get-page-facts.ts'
import { defineStep } from '../define-endpoint.ts'

export const getPageFactsStep = defineStep({
  operation: 'get-page-facts',
  access: 'human',
  params: {},
  command: getPageFacts,
  audit: 'read-only',
})
