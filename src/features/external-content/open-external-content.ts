import { defineStep, type Operation } from '../../api/define-endpoint.ts'
import { nonNegativeInteger } from '../../api/parameter-types.ts'
import { inAddress } from '../../api/step-types.ts'
import {
  countExternalContent,
  openExternalContent,
} from '../../model/external-content/open-external-content.ts'

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

export const EXTERNAL_CONTENT_STEPS: readonly Operation[] = [
  openExternalContentStep,
  countExternalContentStep,
]
