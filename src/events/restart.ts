import * as v from 'valibot'
import type { LogEvent } from '../core/realm-transaction.ts'
import { defineEventType } from './event-type.ts'

/**
 * The organization is served by another version from now on; each version has two names. Source:
 * docs/interface/events.md#events-about-the-server.
 */
export interface RestartEvent extends LogEvent {
  readonly type: 'restart'
  readonly zulip_version: string
  readonly zulip_merge_base: string
  readonly zulip_feature_level: number
  readonly svc_version: string
  readonly svc_merge_base: string
  readonly svc_feature_level: number
  readonly server_generation: number
}

declare module '../core/realm-transaction.ts' {
  interface StoredEvents {
    restart: RestartEvent
  }
}

export const restartEvent = defineEventType<RestartEvent>({
  type: 'restart',
  schema: v.strictObject({
    id: v.number(),
    type: v.literal('restart'),
    zulip_version: v.string(),
    zulip_merge_base: v.string(),
    zulip_feature_level: v.number(),
    svc_version: v.string(),
    svc_merge_base: v.string(),
    svc_feature_level: v.number(),
    server_generation: v.number(),
  }),
})
