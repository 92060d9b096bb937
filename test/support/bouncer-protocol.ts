import * as v from 'valibot'

const uuid = v.pipe(v.string(), v.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const digits = v.pipe(v.string(), v.regex(/^-?\d+$/))
const integer = v.pipe(v.number(), v.integer())
const url = v.pipe(v.string(), v.url())

/** Fields of every payload: the server, the organization and the user that it is for. */
const IDENTITY = {
  server: v.string(),
  realm_id: integer,
  realm_uri: url,
  realm_url: url,
  realm_name: v.string(),
  user_id: integer,
}

const MESSAGE = {
  ...IDENTITY,
  sender_id: integer,
  sender_email: v.pipe(v.string(), v.email()),
  time: integer,
  mentioned_user_group_id: v.optional(integer),
  mentioned_user_group_name: v.optional(v.string()),
  recipient_type: v.picklist(['stream', 'private']),
  stream: v.optional(v.string()),
  stream_id: v.optional(integer),
  topic: v.optional(v.pipe(v.string(), v.nonEmpty())),
  pm_users: v.optional(v.pipe(v.string(), v.regex(/^\d+(,\d+){2,}$/))),
}

const ids = v.pipe(v.string(), v.regex(/^\d+(,\d+){0,199}$/))
const REMOVAL = { ...IDENTITY, event: v.literal('remove'), zulip_message_ids: ids }

/** The payload for an Android device, as the mobile client reads it. */
const gcmPayload = v.variant('event', [
  v.strictObject({
    ...MESSAGE,
    event: v.literal('message'),
    zulip_message_id: integer,
    content: v.string(),
    content_truncated: v.boolean(),
    sender_full_name: v.string(),
    sender_avatar_url: url,
  }),
  v.strictObject({ ...REMOVAL, zulip_message_id: integer }),
])

const apnsPayload = v.union([
  v.strictObject({
    alert: v.strictObject({ title: v.string(), subtitle: v.string(), body: v.string() }),
    sound: v.literal('default'),
    badge: v.literal(0),
    custom: v.strictObject({
      zulip: v.strictObject({ ...MESSAGE, message_ids: v.tuple([integer]) }),
    }),
  }),
  v.strictObject({ badge: v.literal(0), custom: v.strictObject({ zulip: v.strictObject(REMOVAL) }) }),
])

const USER = { realm_uuid: uuid, user_uuid: uuid }
const TOKEN = { token: v.string(), token_kind: v.picklist(['1', '2']) }

/** An integer of up to 64 bits. */
const longInteger = v.pipe(v.union([integer, v.bigint()]), v.transform(String))

const encryptedData = v.pipe(
  v.string(),
  v.base64(),
  v.transform((text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))),
)

/** One request for a device. `device` is its name at the bouncer, and the device looks up its key by `key`. */
function pushRequest<const Device extends v.ObjectEntries, const Key extends v.ObjectEntries>(
  device: Device,
  key: Key,
) {
  const sealed = { ...key, encrypted_data: encryptedData }
  return v.union([
    v.strictObject({
      ...device,
      fcm_priority: v.picklist(['high', 'normal']),
      payload: v.strictObject(sealed),
    }),
    v.strictObject({
      ...device,
      http_headers: v.strictObject({ apns_priority: v.literal(10), apns_push_type: v.literal('alert') }),
      payload: v.strictObject({
        ...sealed,
        aps: v.strictObject({
          'mutable-content': v.literal(1),
          alert: v.strictObject({ title: v.literal('New notification') }),
        }),
      }),
    }),
    // The priority that Apple requires for silent notifications.
    v.strictObject({
      ...device,
      http_headers: v.strictObject({ apns_priority: v.literal(5), apns_push_type: v.literal('background') }),
      payload: v.strictObject({ ...sealed, aps: v.strictObject({ 'content-available': v.literal(1) }) }),
    }),
  ])
}

/** Eight bytes in Base64. */
const tokenId = v.pipe(v.string(), v.regex(/^[A-Za-z0-9+/]{11}=$/))
const uint32 = v.pipe(integer, v.minValue(0), v.maxValue(2 ** 32 - 1))

const requestByAccount = pushRequest({ device_id: longInteger }, { push_account_id: longInteger })
const requestByToken = pushRequest({ token_id: tokenId }, { push_key_id: uint32 })
const registration = {
  realm_uuid: uuid,
  encrypted_push_registration: v.string(),
  bouncer_public_key: v.string(),
}

/** The schema of each of the bouncer's routes, by which the tests check requests. */
export const REQUESTS = {
  'e2ee/register': v.union([
    v.strictObject({ ...registration, push_account_id: digits }),
    v.strictObject({ ...registration, token_id: tokenId }),
  ]),
  // A bouncer knows one of the two forms, and no request mixes them.
  'e2ee/notify': v.union([
    v.strictObject({ realm_uuid: uuid, push_requests: v.pipe(v.array(requestByAccount), v.nonEmpty()) }),
    v.strictObject({ realm_uuid: uuid, push_requests: v.pipe(v.array(requestByToken), v.nonEmpty()) }),
  ]),
  register: v.strictObject({
    ...USER,
    user_id: digits,
    ...TOKEN,
    ios_app_id: v.optional(v.pipe(v.string(), v.regex(/^[.a-zA-Z0-9-]+$/))),
  }),
  unregister: v.strictObject({ ...USER, user_id: digits, ...TOKEN }),
  notify: v.strictObject({
    ...USER,
    user_id: integer,
    gcm_payload: gcmPayload,
    gcm_options: v.strictObject({ priority: v.picklist(['high', 'normal']) }),
    apns_payload: apnsPayload,
    android_devices: v.array(v.string()),
    apple_devices: v.array(v.string()),
  }),
  test_notification: v.strictObject({
    ...USER,
    user_id: integer,
    token: v.string(),
    token_kind: v.picklist([1, 2]),
    base_payload: v.strictObject(IDENTITY),
  }),
}

export type Address = keyof typeof REQUESTS
export type RequestTo<A extends Address> = v.InferOutput<(typeof REQUESTS)[A]>
