import * as v from 'valibot'
import type { ParameterValue } from '../support/api.ts'
import type { TestUser } from '../support/factories.ts'
import { flag, integer, integers, message, text } from './mobile-models.ts'

/** The user of the client, Ann, and the things that her calls are about. */
export interface MobileCast {
  readonly ann: TestUser
  readonly bob: TestUser
  readonly channel: { readonly id: number; readonly name: string }
  readonly other: { readonly id: number; readonly name: string }
  /** A message of Ann's in the channel, under `plans`. */
  readonly sent: number
}

export interface MobileCall {
  /** The client's name for the request. */
  readonly name: string
  readonly call: readonly [method: string, path: () => string, params: () => Record<string, ParameterValue>]
  /** Fields of the answer that the client reads. */
  readonly reads: v.ObjectEntries
}

const narrow = (...terms: [string, unknown][]) => terms.map(([operator, operand]) => ({ operator, operand }))
const page = { num_before: 20, num_after: 20, allow_empty_topic_name: true }
const pageForm = {
  anchor: integer,
  found_newest: flag,
  found_oldest: flag,
  found_anchor: flag,
  history_limited: flag,
  messages: v.array(message),
}
const narrowForm = {
  processed_count: integer,
  updated_count: integer,
  first_processed_id: v.nullish(integer),
  last_processed_id: v.nullish(integer),
  found_oldest: flag,
  found_newest: flag,
}
const smile = { emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' }
const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' }
const always = (value: string) => () => value
const presences = v.record(text, v.looseObject({ active_timestamp: integer, idle_timestamp: integer }))

/** The client's requests in its own encoding: text as it is, everything else as JSON; also in the body of a DELETE (clients.md). */
export function mobileCalls(cast: () => MobileCast): readonly MobileCall[] {
  const inMessage =
    (rest = '') =>
    () =>
      `/messages/${cast().sent}${rest}`
  return [
    { name: 'getOwnUser', call: ['GET', always('/users/me'), () => ({})], reads: { user_id: integer } },
    {
      name: 'sendMessage, direct',
      call: [
        'POST',
        always('/messages'),
        () => ({ type: 'direct', to: [cast().bob.id], content: 'to you', read_by_sender: true }),
      ],
      reads: { id: integer },
    },
    {
      name: 'sendMessage, to a channel without topic',
      call: [
        'POST',
        always('/messages'),
        () => ({
          type: 'stream',
          to: cast().channel.id,
          topic: '',
          content: 'no topic',
          read_by_sender: true,
        }),
      ],
      reads: { id: integer },
    },
    {
      name: 'getMessage',
      call: ['GET', inMessage(), () => ({ apply_markdown: false, allow_empty_topic_name: true })],
      reads: { message },
    },
    ...(
      [
        ['of everything', () => []],
        ['of a channel', () => narrow(['stream', cast().channel.id])],
        ['of a channel, by its new name', () => narrow(['channel', cast().channel.id])],
        ['of a topic', () => narrow(['stream', cast().channel.id], ['topic', 'plans'])],
        [
          'of a topic wherever it went',
          () => narrow(['stream', cast().channel.id], ['topic', 'plans'], ['with', cast().sent]),
        ],
        ['of a conversation', () => narrow(['dm', [cast().bob.id]])],
        ['of a conversation with oneself', () => narrow(['dm', [cast().ann.id]])],
        ['of mentions', () => narrow(['is', 'mentioned'])],
        ['of stars', () => narrow(['is', 'starred'])],
        ['of a search', () => narrow(['search', 'plans'])],
      ] as const
    ).map(
      ([name, terms]): MobileCall => ({
        name: `getMessages ${name}`,
        call: ['GET', always('/messages'), () => ({ narrow: terms(), anchor: 'first_unread', ...page })],
        reads: pageForm,
      }),
    ),
    ...['newest', 'oldest', '1', '10000000000000000'].map(
      (anchor): MobileCall => ({
        name: `getMessages at ${anchor}`,
        call: ['GET', always('/messages'), () => ({ narrow: [], anchor, include_anchor: true, ...page })],
        reads: pageForm,
      }),
    ),
    { name: 'addReaction', call: ['POST', inMessage('/reactions'), () => smile], reads: {} },
    { name: 'removeReaction', call: ['DELETE', inMessage('/reactions'), () => smile], reads: {} },
    {
      name: 'updateMessageFlags',
      call: [
        'POST',
        always('/messages/flags'),
        () => ({ messages: [cast().sent], op: 'add', flag: 'starred' }),
      ],
      reads: { messages: integers },
    },
    {
      name: 'updateMessageFlagsForNarrow',
      call: [
        'POST',
        always('/messages/flags/narrow'),
        () => ({
          anchor: 'oldest',
          include_anchor: false,
          num_before: 0,
          num_after: 1_000,
          narrow: narrow(['stream', cast().channel.id], ['is', 'unread']),
          op: 'add',
          flag: 'read',
        }),
      ],
      reads: narrowForm,
    },
    {
      name: 'getReadReceipts',
      call: ['GET', inMessage('/read_receipts'), () => ({})],
      reads: { user_ids: integers },
    },
    {
      name: 'updateMessage, its content',
      call: ['PATCH', inMessage(), () => ({ content: 'new plans' })],
      reads: {},
    },
    {
      name: 'updateMessage, its topic',
      call: [
        'PATCH',
        inMessage(),
        () => ({
          topic: '✔ plans',
          propagate_mode: 'change_all',
          send_notification_to_old_thread: false,
          send_notification_to_new_thread: true,
        }),
      ],
      reads: {},
    },
    {
      name: 'getChannelTopics',
      call: ['GET', () => `/users/me/${cast().channel.id}/topics`, () => ({ allow_empty_topic_name: true })],
      reads: { topics: v.pipe(v.array(v.looseObject({ max_id: integer, name: text })), v.minLength(2)) },
    },
    {
      name: 'unsubscribeFromChannel',
      call: ['DELETE', always('/users/me/subscriptions'), () => ({ subscriptions: [cast().other.name] })],
      reads: {},
    },
    {
      name: 'subscribeToChannel',
      call: [
        'POST',
        always('/users/me/subscriptions'),
        () => ({ subscriptions: [{ name: cast().other.name }] }),
      ],
      reads: {},
    },
    {
      name: 'updateUserTopic',
      call: [
        'POST',
        always('/user_topics'),
        () => ({ stream_id: cast().channel.id, topic: 'plans', visibility_policy: 3 }),
      ],
      reads: {},
    },
    {
      name: 'setTypingStatus in a channel',
      call: [
        'POST',
        always('/typing'),
        () => ({ op: 'start', type: 'channel', stream_id: cast().channel.id, topic: 'plans' }),
      ],
      reads: {},
    },
    {
      name: 'setTypingStatus in a conversation',
      call: ['POST', always('/typing'), () => ({ op: 'stop', type: 'direct', to: [cast().bob.id] })],
      reads: {},
    },
    {
      name: 'updatePresence',
      call: [
        'POST',
        always('/users/me/presence'),
        () => ({
          last_update_id: -1,
          history_limit_days: 14,
          new_user_input: false,
          ping_only: false,
          status: 'active',
          slim_presence: true,
        }),
      ],
      reads: { presence_last_update_id: integer, server_timestamp: v.number(), presences },
    },
    {
      name: 'updatePresence, without looking',
      call: [
        'POST',
        always('/users/me/presence'),
        () => ({ ping_only: true, new_user_input: true, status: 'idle', slim_presence: true }),
      ],
      reads: {
        presence_last_update_id: v.nullish(integer),
        server_timestamp: v.nullish(v.number()),
        presences: v.nullish(presences),
      },
    },
    {
      name: 'updateStatus',
      call: ['POST', always('/users/me/status'), () => ({ status_text: 'out', ...smile })],
      reads: {},
    },
    {
      name: 'updateStatus, to none',
      call: ['POST', always('/users/me/status'), () => ({ status_text: '', ...noEmoji })],
      reads: {},
    },
    {
      name: 'updateSettings',
      call: [
        'PATCH',
        always('/settings'),
        () => ({
          twenty_four_hour_time: true,
          display_emoji_reaction_users: false,
          emojiset: 'twitter',
          presence_enabled: true,
        }),
      ],
      reads: {},
    },
    {
      name: 'createSavedSnippet',
      call: ['POST', always('/saved_snippets'), () => ({ title: 'Bye', content: 'See you' })],
      reads: { saved_snippet_id: integer },
    },
    {
      name: 'addFcmToken',
      call: ['POST', always('/users/me/android_gcm_reg_id'), () => ({ token: 'fcm' })],
      reads: {},
    },
    {
      name: 'removeFcmToken',
      call: ['DELETE', always('/users/me/android_gcm_reg_id'), () => ({ token: 'fcm' })],
      reads: {},
    },
    {
      name: 'addApnsToken',
      call: ['POST', always('/users/me/apns_device_token'), () => ({ token: 'abcd', appid: 'org.example' })],
      reads: {},
    },
    {
      name: 'removeApnsToken',
      call: ['DELETE', always('/users/me/apns_device_token'), () => ({ token: 'abcd' })],
      reads: {},
    },
    { name: 'deleteMessage', call: ['DELETE', inMessage(), () => ({})], reads: {} },
  ]
}
