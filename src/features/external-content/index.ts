import type { Operation } from '../../api/define-endpoint.ts'
import { countExternalContentStep, openExternalContentStep } from './open-external-content.ts'

export const EXTERNAL_CONTENT_STEPS: readonly Operation[] = [
  openExternalContentStep,
  countExternalContentStep,
]
