import * as v from 'valibot'
import { getBots } from '../../domain/bots/get-bots.ts'
import { defineEndpoint } from '../define-endpoint.ts'

/** The caller's own bots, with their keys. Source: core-endpoints 23. */
export const getBotsEndpoint = defineEndpoint({
  operation: 'get-bots',
  method: 'GET',
  path: '/bots',
  access: 'human-member',
  params: {},
  returns: v.object({ bots: v.array(v.looseObject({ username: v.string(), api_key: v.string() })) }),
  command: getBots,
})
