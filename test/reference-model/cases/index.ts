import type { EventCase } from '../case.ts'
import { CHANNEL_CASES } from './channel-cases.ts'
import { DEVICE_CASES } from './device-cases.ts'
import { MESSAGE_CASES } from './message-cases.ts'
import { ORGANIZATION_CASES } from './organization-cases.ts'
import { PERSONAL_CASES } from './personal-cases.ts'
import { USER_CASES } from './user-cases.ts'

/** The cases that cause events, by event type. */
export const EVENT_CASES: Readonly<Record<string, readonly EventCase[]>> = {
  ...DEVICE_CASES,
  ...MESSAGE_CASES,
  ...PERSONAL_CASES,
  ...CHANNEL_CASES,
  ...USER_CASES,
  ...ORGANIZATION_CASES,
}
