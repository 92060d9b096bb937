import { defineStep } from '../../api/define-endpoint.ts'
import { getPageFacts } from '../../model/browser-sessions/get-page-facts.ts'

export const getPageFactsStep = defineStep({
  operation: 'get-page-facts',
  access: 'human',
  params: {},
  command: getPageFacts,
  audit: 'read-only',
})
