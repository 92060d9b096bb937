import * as v from 'valibot'
import {
  createChannel,
  createChannelRest,
  type PartlyCreated,
} from '../../domain/channels/create/create-channel.ts'
import type { JoinedPart } from '../../domain/subscriptions/join-plan.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { DESCRIPTION_LENGTH, NAME_LENGTH } from '../input-limits.ts'
import { integer, jsonBoolean, jsonIds, textUpTo } from '../parameter-types.ts'
import { inParts, isWhole, joinNextPart } from '../subscriptions/in-parts.ts'
import { joinPlan } from '../subscriptions/subscription-parameters.ts'
import { creationParameters } from './channel-parameters.ts'

/** Creates one channel. Source: docs/interface/channels.md#create-a-channel. */
export const createChannelEndpoint = defineEndpoint({
  operation: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  access: 'member',
  growsObject: true,
  params: {
    name: textUpTo(NAME_LENGTH),
    subscribers: jsonIds,
    description: v.optional(textUpTo(DESCRIPTION_LENGTH), ''),
    announce: v.optional(jsonBoolean, 'false'),
    ...creationParameters,
    send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
  },
  returns: v.object({ id: v.number() }),
  command: createChannel,
  audit: { because: 'A notice in the channel itself says so.' },
  idempotency: 'last-step',
  isLast: isWhole,
  finish: (first, _params, worker) =>
    inParts<PartlyCreated, Whole>(first, (plan) =>
      joinNextPart(
        plan,
        async (part) =>
          (await worker.run(createChannelRestStep.operation, { id: plan.id, part })) as Created | JoinedPart,
      ),
    ),
})

/** Subscribes the next of thousands of users to a new channel. */
export const createChannelRestStep = defineStep({
  operation: 'create-channel-rest',
  access: 'member',
  params: { id: integer, part: joinPlan },
  command: createChannelRest,
  audit: 'step',
  idempotency: 'last-step',
  isLast: isWhole,
})

interface Whole {
  readonly id: number
}

type Created = Whole | PartlyCreated
