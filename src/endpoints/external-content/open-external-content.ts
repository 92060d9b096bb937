import {
  countExternalContent,
  openExternalContent,
} from '../../domain/external-content/open-external-content.ts'
import { defineStep } from '../define-endpoint.ts'

/** What the address of another server's picture asks for (http/external-content.ts). */
export const openExternalContentStep = defineStep({
  operation: 'open-external-content',
  access: 'anyone',
  command: openExternalContent,
  rateLimit: 'pictures',
})

export const countExternalContentStep = defineStep({
  operation: 'count-external-content',
  access: 'anyone',
  command: countExternalContent,
})
