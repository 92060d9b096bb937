import * as v from 'valibot'
import { getBots } from '../../domain/bots/get-bots.ts'
import { botSchema } from '../../events/realm-bot.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/**
 * The caller's own bots, with their keys at every level: level 474 of the public API, which took keys and fields of the account from
 * registrations and events (core/forms-by-level.ts), left this answer as it was. Source: docs/interface/bots.md#list-and-change-bots.
 */
export const getBotsEndpoint = defineEndpoint({
  operation: 'get-bots',
  method: 'GET',
  path: '/bots',
  access: 'human-member',
  params: {},
  largeAnswer: true,
  returns: v.object({ bots: v.array(v.object({ username: v.string(), ...botSchema.entries })) }),
  command: getBots,
})
