import type { Delivery } from '../integration.ts'
import type { Payload } from '../payload.ts'

/** Actions of merge requests and issues, in words. */
export const ACTIONS: Readonly<Record<string, string>> = {
  open: 'created',
  close: 'closed',
  reopen: 'reopened',
  update: 'updated',
  merge: 'merged',
  approved: 'approved',
  unapproved: 'unapproved',
  approval: 'approved',
  unapproval: 'unapproved',
}

/** A delivery of GitLab, with what most events have. */
export interface GitLabEvent {
  readonly delivery: Delivery
  readonly body: Payload
  readonly attributes: Payload
  /** The name of the event, without its action. */
  readonly hook: string
  readonly user: string
  readonly project: string
}
