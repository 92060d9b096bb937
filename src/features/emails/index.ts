import type { Operation } from '../../api/define-endpoint.ts'
import { noteBounceStep, openMailStep, takeMailStep } from './incoming-mail.ts'
import { showUnsubscriptionStep, unsubscribeStep } from './unsubscribe.ts'

export const EMAIL_STEPS: readonly Operation[] = [
  showUnsubscriptionStep,
  unsubscribeStep,
  openMailStep,
  takeMailStep,
  noteBounceStep,
]
