import * as v from 'valibot'
import { registerSpectator } from '../../domain/spectators/register-spectator.ts'
import { defineEndpoint } from '../define-endpoint.ts'
import { registrationParameters } from '../events/registration-parameters.ts'

/** POST /json/register without an account: a snapshot, and no queue. Source: docs/interface/visitors.md#the-snapshot. */
export const registerSpectatorEndpoint = defineEndpoint({
  operation: 'register-spectator',
  method: 'POST',
  path: '/register',
  access: 'spectator',
  params: registrationParameters,
  returns: v.looseObject({
    queue_id: v.null(),
    zulip_version: v.string(),
    zulip_feature_level: v.number(),
  }),
  command: registerSpectator,
  audit: 'read-only',
  largeAnswer: true,
  answersInSections: true,
  // The request changes nothing.
  idempotency: 'harmless',
  repeatable: () => true,
})
