import * as v from 'valibot'
import { ServiceUnavailableError } from '../../core/errors.ts'
import {
  type PartlySubscribed,
  type SubscribeResult,
  subscribe,
  subscribeRest,
} from '../../domain/subscriptions/subscribe.ts'
import { creationParameters } from '../channels/channel-parameters.ts'
import { defineEndpoint, defineStep } from '../define-endpoint.ts'
import { inSeveralCommits } from '../in-several-commits.ts'
import { LONGEST_LIST, WORD_LENGTH } from '../input-limits.ts'
import { integer, jsonBoolean, listUpTo, mapUpTo, textUpTo } from '../parameter-types.ts'
import { idList, nameList } from '../step-types.ts'
import { channelsToJoin, namesByUser, principals } from './subscription-parameters.ts'

/** Subscribes users to channels, and creates those that do not exist. Source: docs/interface/subscriptions.md#subscribe. */
export const subscribeEndpoint = defineEndpoint({
  operation: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  access: 'member',
  growsObject: true,
  params: {
    subscriptions: channelsToJoin,
    ...creationParameters,
    announce: v.optional(jsonBoolean, 'false'),
    principals: v.optional(principals),
    authorization_errors_fatal: v.optional(jsonBoolean, 'true'),
    send_new_subscription_messages: v.optional(jsonBoolean, 'true'),
  },
  returns: v.object({
    subscribed: namesByUser,
    already_subscribed: namesByUser,
    unauthorized: v.optional(v.array(v.string())),
    new_subscription_messages_sent: v.optional(v.boolean()),
  }),
  command: subscribe,
  idempotency: 'last-step',
  isLast: isWhole,
  async finish(first, _params, worker) {
    const last = await inSeveralCommits<Subscribed>(
      first,
      isWhole,
      async (before) => (await worker.run(subscribeRestStep.operation, { ...before })) as Subscribed,
    )
    if (!isWhole(last)) throw new ServiceUnavailableError()
    return last
  },
})

/** User id → names of channels. */
const namesOfUsers = mapUpTo(LONGEST_LIST, textUpTo(WORD_LENGTH), nameList)

/** The step that subscribes the next of thousands of users. */
export const subscribeRestStep = defineStep({
  operation: 'subscribe-rest',
  access: 'member',
  params: {
    rest: v.strictObject({
      userIds: idList,
      channels: listUpTo(
        LONGEST_LIST,
        v.strictObject({ id: integer, color: v.optional(textUpTo(WORD_LENGTH)) }),
      ),
      createdIds: idList,
      announce: v.boolean(),
      result: v.strictObject({
        subscribed: namesOfUsers,
        already_subscribed: namesOfUsers,
        unauthorized: v.optional(nameList),
        new_subscription_messages_sent: v.optional(v.boolean()),
      }),
    }),
  },
  command: subscribeRest,
  idempotency: 'last-step',
  isLast: isWhole,
})

type Subscribed = SubscribeResult | PartlySubscribed

function isWhole(result: Subscribed): result is SubscribeResult {
  return !('rest' in result)
}
