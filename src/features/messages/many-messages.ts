import * as v from 'valibot'
import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Caller } from '../../model/caller.ts'
import { packMessages } from '../../model/messages/read/pack-messages.ts'
import { joinParts } from '../../model/messages/read/present-message.ts'
import { readNarrowTerms } from '../../model/narrows/narrow-terms.ts'
import { inPublicForm, spectatorCaller } from '../../model/spectators/spectator.ts'
import { isWithoutMeaningToSpectators, requireSpectatorNarrow } from '../../rules/spectator-rules.ts'
import {
  allOfIds,
  type GetMessagesParams,
  getMessages,
  MAX_MESSAGES_PER_FETCH,
  messagesParameters,
  presentPage,
  readRequest,
} from './fetch-messages.ts'
import type { FoundMessages } from './found-messages.ts'
import { finishMessages } from './in-worker/finish-messages.ts'
import { messageSchema } from './message-answer.ts'

const messagesAnswer = v.object({
  messages: v.array(messageSchema),
  anchor: v.optional(v.number()),
  found_anchor: v.boolean(),
  found_oldest: v.boolean(),
  found_newest: v.boolean(),
  history_limited: v.boolean(),
})

/**
 * Fetches messages of web-public channels, for visitors without an account. Source: docs/interface/visitors.md#messages.
 * @throws UnauthorizedError for any other narrow.
 */
export const getPublicMessagesEndpoint = defineEndpoint({
  operation: 'get-public-messages',
  route: 'GET /messages',
  access: 'spectator',
  params: messagesParameters,
  returns: messagesAnswer,
  command: {
    reads: true,
    asks: true,
    apply(tx, { source }, params): FoundMessages {
      const caller = spectatorCaller(tx, source)
      const page = presentPage(tx, caller, publicRequest(tx, caller, params))
      const messages = inPublicForm(tx, page.messages.map(joinParts))
      return {
        ...page,
        messages: packMessages(messages.map(({ facts, ...head }) => ({ ...head, own: facts, shared: [] }))),
      }
    },
    bodiesFor: ({ messages }) => messages.ids,
  },
  workerBytes: messagesMemory,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-public-messages', { ...allPublicOfIds(params, ids) })) as FoundMessages,
    ),
})

/** Fetches messages. Source: docs/interface/reading.md#fetch-messages. */
export const getMessagesEndpoint = defineEndpoint({
  operation: 'get-messages',
  route: 'GET /messages',
  access: 'user',
  params: messagesParameters,
  returns: messagesAnswer,
  command: {
    reads: true,
    asks: true,
    apply: getMessages,
    bodiesFor: ({ messages }) => messages.ids,
  },
  forSpectators: getPublicMessagesEndpoint,
  workerBytes: messagesMemory,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-messages', { ...allOfIds(params, ids) })) as FoundMessages,
    ),
})

/** The parameters without `client_gravatar`, since spectators always get pictures' URLs. */
type GetPublicMessagesParams = Omit<GetMessagesParams, 'client_gravatar'>

const PUBLIC_NARROW = [{ operator: 'channels', operand: 'web-public' }]

/** Returns a spectator's request for messages that were found before (`allOfIds`). */
function allPublicOfIds(params: GetPublicMessagesParams, ids: readonly number[]): GetPublicMessagesParams {
  const narrow = params.message_ids ? params.narrow : PUBLIC_NARROW
  return { ...allOfIds({ ...params, client_gravatar: false }, ids), narrow }
}

/** Returns a spectator's request. Refusals of its parameters come before those of its narrow. */
function publicRequest(view: RealmView, caller: Caller, params: GetPublicMessagesParams): GetMessagesParams {
  const narrow = params.narrow ?? []
  readRequest(view, caller, { ...params, client_gravatar: false })
  requireSpectatorNarrow(readNarrowTerms(narrow))
  // Spectators have no unread messages.
  const isUnreadAnchor = params.use_first_unread_anchor || params.anchor?.trim() === 'first_unread'
  return {
    ...params,
    client_gravatar: false,
    narrow: narrow.filter(
      ({ operator, operand, negated = false }) =>
        !isWithoutMeaningToSpectators({ operator, operand, negated }),
    ),
    ...(isUnreadAnchor ? { anchor: 'newest', use_first_unread_anchor: false } : {}),
  }
}

/** Bytes that a message takes in the Worker until it has been sent, without its body. */
const MESSAGE_OF_A_PAGE = 2_000

/** Returns the bytes that the answer takes in the Worker. */
function messagesMemory({ num_before, num_after, message_ids }: GetMessagesParams): number {
  const count = num_before + num_after + (message_ids?.length ?? 0)
  return Math.min(count, MAX_MESSAGES_PER_FETCH) * MESSAGE_OF_A_PAGE
}
