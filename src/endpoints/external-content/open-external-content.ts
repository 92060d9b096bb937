import {
  countExternalContent,
  openExternalContent,
} from '../../domain/external-content/open-external-content.ts'
import { defineStep } from '../define-endpoint.ts'
import { nonNegativeInteger } from '../parameter-types.ts'
import { inAddress } from '../step-types.ts'

/** The step behind the address of another server's picture (http/files/external-content.ts). */
export const openExternalContentStep = defineStep({
  operation: 'open-external-content',
  access: 'anyone',
  params: { digest: inAddress, hex: inAddress },
  command: openExternalContent,
  audit: 'read-only',
  rateLimit: 'pictures',
})

export const countExternalContentStep = defineStep({
  operation: 'count-external-content',
  access: 'anyone',
  params: { bytes: nonNegativeInteger },
  command: countExternalContent,
  audit: 'step',
})
