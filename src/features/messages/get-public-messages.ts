import { defineEndpoint } from '../../api/define-endpoint.ts'
import type { ReadCommand } from '../../core/command.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Anyone } from '../../model/anyone.ts'
import type { Caller } from '../../model/caller.ts'
import { readNarrowTerms } from '../../model/messages/narrow/narrow-terms.ts'
import { packMessages } from '../../model/messages/read/pack-messages.ts'
import { joinParts } from '../../model/messages/read/present-message.ts'
import { inPublicForm } from '../../model/spectators/public-form.ts'
import { spectatorCaller } from '../../model/spectators/spectator.ts'
import { isWithoutMeaningToSpectators, requireSpectatorNarrow } from '../../rules/spectator-rules.ts'
import {
  allOfIds,
  type GetMessagesParams,
  loadMessages,
  presentPage,
  readRequest,
  type Searched,
} from './fetch-messages.ts'
import { finishMessages } from './in-worker/finish-messages.ts'
import { messagesAnswer, messagesMemory, messagesParameters } from './many-messages.ts'
import type { FoundMessages } from './read/found-messages.ts'

/** Parameters without `client_gravatar`, since spectators always get the addresses of pictures. */
type GetPublicMessagesParams = Omit<GetMessagesParams, 'client_gravatar'>

const PUBLIC_NARROW = [{ operator: 'channels', operand: 'web-public' }] as const

/**
 * Fetches messages of web-public channels, for a visitor without an account.
 * Source: docs/interface/visitors.md#messages.
 * @throws UnauthorizedError for a narrow that asks for more.
 */
const getPublicMessages: ReadCommand<Anyone, GetPublicMessagesParams, Searched, FoundMessages> = {
  reads: true,
  async load(store, view, { source }, params) {
    const caller = spectatorCaller(view, source)
    return loadMessages(store, view, caller, publicRequest(view, caller, params))
  },
  apply(tx, { source }, params, searched) {
    const caller = spectatorCaller(tx, source)
    const page = presentPage(tx, caller, publicRequest(tx, caller, params), searched)
    const messages = inPublicForm(tx, page.messages.map(joinParts))
    return {
      ...page,
      messages: packMessages(messages.map(({ facts, ...head }) => ({ ...head, own: facts, shared: [] }))),
    }
  },
  bodiesFor: ({ messages }) => messages.ids,
}

/**
 * Returns the options of a spectator's request for messages that were found before, as `allOfIds` makes them.
 */
function allPublicOfIds(params: GetPublicMessagesParams, ids: readonly number[]): GetPublicMessagesParams {
  const narrow = params.message_ids ? params.narrow : PUBLIC_NARROW
  return { ...allOfIds({ ...params, client_gravatar: false }, ids), narrow }
}

/** Returns the request of a spectator. Refusals of its parameters come before those of its narrow. */
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

/** GET /json/messages without an account. Source: docs/interface/visitors.md#messages. */
export const getPublicMessagesEndpoint = defineEndpoint({
  operation: 'get-public-messages',
  method: 'GET',
  path: '/messages',
  access: 'spectator',
  params: messagesParameters,
  returns: messagesAnswer,
  command: getPublicMessages,
  workerBytes: messagesMemory,
  finish: async (found, params, { bodies, run }) =>
    finishMessages(
      found,
      params,
      bodies,
      async (ids) => (await run('get-public-messages', { ...allPublicOfIds(params, ids) })) as FoundMessages,
    ),
})
