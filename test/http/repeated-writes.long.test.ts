import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ApiResponse, ParameterValue } from '../support/api.ts'
import { askWorker } from '../support/api.ts'
import { makeBackup } from '../support/backups.ts'
import { finishExport, keepAlarmsAway } from '../support/exports.ts'
import { buildChannel, createBot, expectSuccess, type TestUser } from '../support/factories.ts'
import { PNG } from '../support/images.ts'
import { changeRealm, inRealm, newestLogId } from '../support/inside.ts'
import { ENDPOINTS, type Endpoint } from '../support/inside-declarations.ts'
import { insertBrowserSession, insertPasskey } from '../support/inside-rows.ts'
import { fromJson } from '../support/json.ts'
import { connectTo } from '../support/login-identities.ts'
import { sendDirect, sendTo } from '../support/messages.ts'
import { BOUNCER_PUBLIC_KEY, BOUNCER_SETTINGS } from '../support/push-bouncer.ts'
import { useReliableD1 } from '../support/reliable-d1.ts'
import { beginUpload, offsetOf } from '../support/tus.ts'
import { authorization, type TestFile, upload } from '../support/uploads.ts'
import { useRealm } from '../support/use-realm.ts'
import { world } from '../support/world.ts'

const { realm, ann } = useRealm({ ann: 'member' })
useReliableD1()
beforeAll(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  world.reach = (call) => call()
})

type Fields = Record<string, ParameterValue | undefined>
interface Sent {
  readonly file?: TestFile
  readonly headers?: Record<string, string>
  /** The account that makes the request: the owner if it is absent. */
  readonly as?: TestUser
}

const endpoints = new Map(ENDPOINTS.map((endpoint) => [endpoint.operation, endpoint]))
const walked = new Set<string>()

/** Makes one request with a key. Fields that the path names become part of it. */
async function send(operation: string, fields: Fields, key: string, sent: Sent = {}): Promise<ApiResponse> {
  const endpoint = endpoints.get(operation)!
  const rest = { ...fields }
  const path = endpoint.path.replaceAll(/:(\w+)\+?/g, (_, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const headers = { 'Idempotency-Key': key, ...sent.headers }
  const { api } = sent.as ?? realm.owner
  if (!sent.file && !endpoint.tus) return api.request(endpoint.method, path, rest, { headers })
  return sendFile(endpoint, path, rest, headers, sent.file)
}

async function sendFile(
  { method, tus, streamsFiles }: Endpoint,
  path: string,
  fields: Fields,
  headers: Record<string, string>,
  file: TestFile | undefined,
): Promise<ApiResponse> {
  const form = new FormData()
  const url = new URL(`http://${realm.host}/api/v1${path}`)
  for (const [name, value] of Object.entries(fields)) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (streamsFiles) url.searchParams.set(name, text)
    else form.set(name, text)
  }
  if (file)
    form.append('file', new File([file.content ?? 'notes'], file.name ?? 'a.txt', { type: file.type }))
  const response = await askWorker(
    new Request(url, {
      method,
      headers: { ...authorization(realm.owner), ...(tus ? { 'Tus-Resumable': '1.0.0' } : {}), ...headers },
      body: tus ? null : form,
    }),
  )
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? {} : fromJson(text),
  }
}

/** Loses the answer to the `lost`th call of the realm object, counted from 1, and lets the Worker not repeat the call. */
function loseAnswerOf(lost: number): { readonly calls: number } {
  const count = { calls: 0 }
  world.reach = async (call, kind) => {
    if (kind !== 'run') return call()
    count.calls += 1
    const answer = await call()
    if (count.calls === lost) throw Object.assign(new Error('The answer is lost'), { overloaded: true })
    return answer
  }
  return count
}

const newestEvent = () => newestLogId(realm)

/**
 * Sends the request until it is answered, while the answer of each call to the object is lost once; then sends it again.
 * The change must be made once, and every answer must be the same.
 */
async function repeat(operation: string, fields: Fields = {}, sent: Sent = {}): Promise<ApiResponse['body']> {
  walked.add(operation)
  const key = crypto.randomUUID()
  const before = await newestEvent()
  let answer: ApiResponse
  let atLastLoss = before
  for (let lost = 1; ; lost += 1) {
    const count = loseAnswerOf(lost)
    answer = await send(operation, fields, key, sent)
    world.reach = (call) => call()
    if (count.calls < lost) break
    expect(answer.status, operation).toBe(503)
    atLastLoss = await newestEvent()
  }
  const shown = `${operation}: ${answer.status} ${JSON.stringify(answer.body)}`
  expect(answer.status, shown).toBeLessThan(300)
  // The last call whose answer was lost has done everything, except that work in batches continues after it.
  if (operation === 'delete-topic') atLastLoss = await newestEvent()
  expect(await newestEvent(), operation).toBe(atLastLoss)
  const again = await send(operation, fields, key, sent)
  expect([again.status, again.body], operation).toEqual([answer.status, answer.body])
  expect(await newestEvent(), operation).toBe(atLastLoss)
  const other = await send(operation === 'mark-all-read' ? 'run-command' : 'mark-all-read', {}, key, {
    ...(sent.as ? { as: sent.as } : {}),
  })
  if (operation !== 'mark-all-read') {
    expect([other.status, other.body.code], operation).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
  }
  return answer.body
}

const queuedMail = () =>
  inRealm(realm, ({ parts: { sql } }) => sql.first<{ n: number }>('SELECT COUNT(*) AS n FROM email')!.n)

const soon = () => Math.ceil(Date.now() / 1_000) + 3_600

describe('a write whose answer is lost and that comes again with its key is made once:', () => {
  let channelId: number
  let messageId: number

  beforeAll(async () => {
    expectSuccess(
      await realm.owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'first' }] }),
    )
    channelId = expectSuccess(await realm.owner.api.get('/get_stream_id', { stream: 'first' })).stream_id
    messageId = await sendTo(realm.owner, channelId, 'topic', 'a message')
  })

  it('messages', async () => {
    const to = { type: 'channel', to: channelId, topic: 'topic' }
    const { id } = await repeat('send-message', { ...to, content: 'hello' })
    await repeat('update-message', { message_id: id, content: 'changed' })
    await repeat('add-reaction', { message_id: id, emoji_name: 'tada' })
    await repeat('remove-reaction', { message_id: id, emoji_name: 'tada' })
    await repeat('update-flags', { messages: [id], op: 'add', flag: 'starred' })
    const narrow = [{ operator: 'channel', operand: channelId }]
    const around = { anchor: 'newest', num_before: 5, num_after: 0, narrow }
    await repeat('update-flags-for-narrow', { ...around, op: 'add', flag: 'starred' })
    await repeat('mark-topic-read', { stream_id: channelId, topic_name: 'topic' })
    await repeat('mark-channel-read', { stream_id: channelId })
    await repeat('mark-all-read')
    await repeat('render-message', { content: 'x' })
    await repeat('set-edit-typing', { message_id: id, op: 'start' })
    await repeat('set-typing', { op: 'start', to: [ann.id] })
    const poll = await repeat('send-message', { ...to, content: '/poll ?\na' })
    const vote = '{"type":"vote","key":"canned,0","vote":1}'
    await repeat('send-submessage', { message_id: poll.id, msg_type: 'widget', content: vote })
    await repeat('delete-message', { message_id: id })
    await repeat('run-command', { command: '/dark' })
    for (let left = 150; left > 0; left -= 1) await sendTo(realm.owner, channelId, 'long', 'x')
    const pin = await repeat('pin-in-channel', { stream_id: channelId, topic: 'long' })
    await repeat('unpin-in-channel', { stream_id: channelId, pin_id: pin.id })
    await repeat('delete-topic', { stream_id: channelId, topic_name: 'long' })
  })

  it('what is kept for oneself', async () => {
    const draft = { type: 'stream', to: [channelId], topic: 'a', content: 'draft' }
    const { ids } = await repeat('create-drafts', { drafts: [draft] })
    await repeat('edit-draft', { draft_id: ids[0], draft: { ...draft, content: 'other' } })
    await repeat('delete-draft', { draft_id: ids[0] })
    const at = { scheduled_delivery_timestamp: soon() }
    const later = { type: 'direct', to: [ann.id], content: 'later', ...at }
    const { scheduled_message_id } = await repeat('create-scheduled-message', later)
    await repeat('edit-scheduled-message', { scheduled_message_id, content: 'much later' })
    await repeat('delete-scheduled-message', { scheduled_message_id })
    const { saved_snippet_id } = await repeat('create-snippet', { title: 'a', content: 'b' })
    await repeat('edit-snippet', { saved_snippet_id, title: 'c' })
    await repeat('delete-snippet', { saved_snippet_id })
    const { reminder_id } = await repeat('create-reminder', { message_id: messageId, ...at })
    await repeat('delete-reminder', { reminder_id })
    await repeat('add-alert-words', { alert_words: ['ship'] })
    await repeat('remove-alert-words', { alert_words: ['ship'] })
    await repeat('mute-user', { muted_user_id: ann.id })
    await repeat('unmute-user', { muted_user_id: ann.id })
    const fragment = 'narrow/is/starred/has/link'
    await repeat('add-navigation-view', { fragment, is_pinned: true, name: 'Stars' })
    await repeat('update-navigation-view', { fragment, is_pinned: false })
    await repeat('remove-navigation-view', { fragment })
    await repeat('mark-onboarding-step', { onboarding_step: 'intro_resolve_topic' })
    await repeat('update-presence', { status: 'active' })
    await repeat('update-own-status', { status_text: 'away' })
    await repeat('mute-topic', { stream_id: channelId, topic: 'topic', op: 'add' })
    await repeat('set-topic-policy', { stream_id: channelId, topic: 'topic', visibility_policy: 3 })
    await repeat('update-settings', { full_name: 'Olga Other' })
    await repeat('update-settings', { old_password: 'correct horse', new_password: 'another fine password' })
    await repeat('update-display-settings', { twenty_four_hour_time: true })
    await repeat('update-notification-settings', { enable_sounds: false })
    await repeat('update-subscription-property', {
      stream_id: channelId,
      property: 'pin_to_top',
      value: 'true',
    })
    const property = { stream_id: channelId, property: 'color', value: '#aabbcc' }
    await repeat('update-subscription-settings', { subscription_data: [property] })
    const { device_id } = await repeat('register-client-device')
    await repeat('remove-client-device', { device_id })
    const session_id = await inRealm(realm, (object) =>
      object.change((tx) =>
        insertBrowserSession(
          tx.sql,
          { userId: realm.owner.id, digest: 'ab'.repeat(32), userAgent: '', proof: { method: 'password' } },
          tx.now,
        ),
      ),
    )
    await repeat('delete-browser-session', { session_id })
    const passkey_id = await changeRealm(realm, (tx) =>
      insertPasskey(
        tx.sql,
        {
          userId: realm.owner.id,
          credentialId: 'repeated',
          publicKey: '',
          counter: 0,
          transports: [],
          isBackedUp: false,
          isVerified: true,
          name: 'Laptop',
        },
        tx.now,
      ),
    )
    await repeat('rename-passkey', { passkey_id, name: 'Laptop' })
    await repeat('remove-passkey', { passkey_id })
    const enterTotp = (userId: number) =>
      changeRealm(realm, ({ sql }) => {
        sql.run(
          `INSERT INTO totp (user_id, secret, is_confirmed, last_step, made_at) VALUES (?, 'sealed', 1, 0, 0)`,
          userId,
        )
      })
    await enterTotp(realm.owner.id)
    await repeat('remove-totp')
    await enterTotp(ann.id)
    await repeat('reset-second-factors', { user_id: ann.id })
    await repeat('add-fcm-token', { token: 'c0ffee01' })
    await repeat('remove-fcm-token', { token: 'c0ffee01' })
    await repeat('add-apns-token', { token: 'c0ffee02', appid: 'com.example.Chat' })
    await repeat('remove-apns-token', { token: 'c0ffee02' })
    const { queue_id } = expectSuccess(await realm.owner.api.post('/register'))
    await repeat('delete-queue', { queue_id })
  })

  it('channels', async () => {
    await repeat('subscribe', { subscriptions: [{ name: 'second' }] })
    await repeat('update-subscriptions', { add: [{ name: 'third' }] })
    await repeat('unsubscribe', { subscriptions: ['third'] })
    const { id } = await repeat('create-channel', { name: 'fourth', subscribers: [ann.id] })
    await repeat('update-stream', { stream_id: id, description: 'of the four' })
    await repeat('add-default-stream', { stream_id: id })
    await repeat('remove-default-stream', { stream_id: id })
    const group = { group_name: 'some', description: 'of them', stream_names: ['fourth'] }
    await repeat('create-default-stream-group', group)
    const listed = expectSuccess(
      await realm.owner.api.post('/register', { fetch_event_types: ['default_stream_groups'] }),
    )
    const group_id = listed.realm_default_stream_groups[0].id
    await repeat('update-default-stream-group', { group_id, new_description: 'of all' })
    const change = { group_id, op: 'add', stream_names: ['second'] }
    await repeat('update-default-stream-group-channels', change)
    await repeat('delete-default-stream-group', { group_id })
    const { channel_folder_id } = await repeat('create-channel-folder', { name: 'folder', description: '' })
    await repeat('update-channel-folder', { channel_folder_id, description: 'x' })
    await repeat('reorder-channel-folders', { order: [channel_folder_id] })
    await repeat('archive-stream', { stream_id: id })
  })

  it('people', async () => {
    const person = { email: `new@${realm.host}`, password: 'a fine password', full_name: 'New Person' }
    expectSuccess(await realm.owner.api.get('/users/me'))
    const { user_id } = await repeat('create-user', person)
    const other = { ...person, email: `other@${realm.host}` }
    const { user_id: erased } = expectSuccess(await realm.owner.api.post('/users', other))
    await repeat('erase-user', { user_id: erased, messages: 'keep' })
    await repeat('update-user', { user_id, full_name: 'Newer Person' })
    await repeat('update-user-by-email', { email: person.email, full_name: 'Newest Person' })
    await repeat('set-user-status', { user_id, status_text: 'new' })
    await repeat('deactivate-user', { user_id })
    await repeat('reactivate-user', { user_id })
    const bot = await repeat('create-bot', { full_name: 'Robot', short_name: 'robot' })
    expect(bot.api_key).toMatch(/^\w{32}$/)
    const picture = await repeat('create-bot', { full_name: 'Shown', short_name: 'shown' }, { file: PNG })
    expect(picture.user_id).toBeGreaterThan(bot.user_id)
    await repeat('update-bot', { bot_id: bot.user_id, full_name: 'Android' })
    const fresh = await repeat('regenerate-bot-api-key', { bot_id: bot.user_id })
    expect(fresh.api_key).not.toBe(bot.api_key)
    const hook = await repeat('create-bot', { full_name: 'Hook', short_name: 'hook', bot_type: 3 })
    const signed = await repeat('renew-webhook-secret', { bot_id: hook.user_id })
    expect(signed.webhook_secret).not.toBe(hook.webhook_secret)
    await repeat('update-event-subscriptions', {
      bot_id: hook.user_id,
      event_subscriptions: [{ event: 'new_person', channel_ids: null }],
    })
    const called = await sendDirect(realm.owner, [{ id: hook.user_id }])
    await changeRealm(realm, ({ sql }) =>
      sql.run(
        `INSERT INTO webhook_delivery (bot_id, id, webhook_id, cause, message_id, at, attempt, ms, answer)
         VALUES (?, 1, 'msg_1', 'direct_message', ?, 1, 1, 1, '')`,
        ...[hook.user_id, called],
      ),
    )
    await repeat('resend-webhook-delivery', { bot_id: hook.user_id, delivery_id: 1 })
    await repeat('update-incoming-webhook', {
      bot_id: bot.user_id,
      secret: 'first',
      keep_previous_secret: true,
    })
    await repeat('test-incoming-webhook', { bot_id: bot.user_id, integration: 'github' })
    await repeat('deactivate-bot', { bot_id: bot.user_id })
    const as = await createBot(realm.owner, 'Keeper')
    await repeat('preview-webhook-template', { payload: '{}' })
    await repeat('receive-webhook', { integration: 'json', api_key: as.apiKey, payload: '{}' }, { as })
    await repeat('update-bot-storage', { storage: { a: 'b' } }, { as })
    await repeat('remove-bot-storage', { keys: ['a'] }, { as })
    const all = { name: 'crew', description: '', members: [ann.id] }
    const { group_id } = await repeat('create-user-group', all)
    await repeat('update-user-group', { user_group_id: group_id, description: 'all of it' })
    await repeat('update-user-group-members', { user_group_id: group_id, add: [user_id] })
    const below = await repeat('create-user-group', { ...all, name: 'deck crew' })
    await repeat('update-user-group-subgroups', { user_group_id: group_id, add: [below.group_id] })
    await repeat('deactivate-user-group', { user_group_id: group_id })
    const invitees = { invitee_emails: `guest@${realm.host}`, stream_ids: [channelId] }
    await repeat('send-invites', invitees)
    await repeat('create-invite-link')
    const { invites } = expectSuccess(await realm.owner.api.get('/invites'))
    const idOf = (isLink: boolean) =>
      invites.find((one: { is_multiuse: boolean }) => one.is_multiuse === isLink).id
    await repeat('resend-email-invite', { invite_id: idOf(false) })
    await repeat('revoke-email-invite', { invite_id: idOf(false) })
    await repeat('revoke-invite-link', { invite_id: idOf(true) })
  })

  it('the organization', async () => {
    await repeat('update-realm', { description: 'of the tests' })
    await repeat('update-user-settings-defaults', { twenty_four_hour_time: true })
    await repeat('add-realm-domain', { domain: 'example.org', allow_subdomains: false })
    await repeat('update-realm-domain', { domain: 'example.org', allow_subdomains: true })
    await repeat('remove-realm-domain', { domain: 'example.org' })
    const login = { slug: 'work', issuer: 'https://login.example.com', client_id: 'a', client_secret: 'b' }
    const { id: provider_id } = await repeat('create-login-provider', login)
    await repeat('update-login-provider', { provider_id, client_secret: 'c' })
    await repeat('remove-login-identity', { identity_id: await connectTo(realm, provider_id, realm.owner) })
    await repeat('remove-login-provider', { provider_id })
    const filter = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' }
    const { id: filter_id } = await repeat('add-linkifier', filter)
    await repeat('update-linkifier', { ...filter, filter_id, url_template: 'https://example.org/{id}' })
    await repeat('reorder-linkifiers', { ordered_linkifier_ids: [filter_id] })
    await repeat('remove-linkifier', { filter_id })
    const playground = { name: 'Try', pygments_language: 'Rust', url_template: 'https://example.com/{code}' }
    const { id: playground_id } = await repeat('add-code-playground', playground)
    await repeat('remove-code-playground', { playground_id })
    const { id: field_id } = await repeat('create-custom-profile-field', { name: 'Boat', field_type: 1 })
    await repeat('update-custom-profile-field', { field_id, name: 'Ship' })
    await repeat('reorder-custom-profile-fields', { order: [field_id] })
    await repeat('update-own-profile-data', { data: [{ id: field_id, value: 'Argo' }] })
    await repeat('remove-own-profile-data', { data: [field_id] })
    await repeat('delete-custom-profile-field', { field_id })
    await repeat('test-welcome-message', { welcome_message_custom_text: 'hello' })
  })

  it('files', async () => {
    const { url } = await repeat('upload-file', {}, { file: { name: 'notes.txt', content: 'notes' } })
    const text = await askWorker(
      new Request(`http://${realm.host}${url}`, { headers: authorization(realm.owner) }),
    )
    expect(await text.text()).toBe('notes')
    const { attachments } = expectSuccess(await realm.owner.api.get('/attachments'))
    expect(attachments).toHaveLength(1)
    await repeat('remove-attachment', { attachment_id: attachments[0].id })
    await repeat('upload-avatar', {}, { file: PNG })
    await repeat('delete-avatar')
    await repeat('upload-realm-icon', {}, { file: PNG })
    await repeat('delete-realm-icon')
    await repeat('upload-realm-logo', { night: false }, { file: PNG })
    await repeat('delete-realm-logo', { night: false })
    await repeat('upload-custom-emoji', { emoji_name: 'boat' }, { file: PNG })
    await repeat('deactivate-custom-emoji', { emoji_name: 'boat' })
    const length = { headers: { 'Upload-Length': '5' } }
    await repeat('create-resumable-upload', {}, length)
    const begun = await beginUpload(realm.owner, 5)
    await repeat('remove-resumable-upload', { upload: begun.split('/').at(-1)! })
    expect(await offsetOf(realm.owner, begun)).toBe('status 404')
    // The job of the export writes to the log, so it may not run while the log is compared.
    keepAlarmsAway()
    const { id } = await repeat('export-realm')
    await finishExport(realm, id)
    await repeat('delete-realm-export', { export_id: id })
  })

  it('reports of messages', async () => {
    const channel = await buildChannel([ann, realm.owner])
    const reports = await buildChannel([realm.owner], { invite_only: true })
    expectSuccess(await realm.owner.api.patch('/realm', { moderation_request_channel_id: reports.id }))
    const message_id = await sendTo(ann, channel.id, 'topic', 'buy this')
    await repeat('report-message', { message_id, report_type: 'spam' })
    const narrow = [
      { operator: 'channel', operand: reports.id },
      { operator: 'sender', operand: realm.owner.id, negated: true },
    ]
    const window = { anchor: 'newest', num_before: 10, num_after: 0, narrow }
    const { messages } = expectSuccess(await realm.owner.api.get('/messages', window))
    const reminders = messages.filter(({ subject }: { subject: string }) => subject.startsWith('Ann '))
    expect(reminders).toHaveLength(1)
  })

  it('devices for notifications', async () => {
    keepAlarmsAway()
    world.settings = BOUNCER_SETTINGS
    await repeat('register-push-device', {
      token_kind: 'fcm',
      push_account_id: 77,
      push_public_key: btoa('device key'),
      bouncer_public_key: BOUNCER_PUBLIC_KEY,
      encrypted_push_registration: btoa('registration'),
    })
    const endpoint = 'https://push-service.example.com/1'
    const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
    await repeat('add-web-push-subscription', { endpoint, ...keys })
    await repeat('remove-web-push-subscription', { endpoint })
  })

  it('dead letters, and what verifies the stores', async () => {
    keepAlarmsAway()
    const at = Math.floor(Date.now() / 1_000) + world.clockOffset
    const mail = { recipient: `nobody@${realm.host}`, subject: 'Again', body: 'Hello' }
    await inRealm(realm, ({ parts: { sql } }) => {
      // Calls of the webhook above, which has no address.
      sql.run('DELETE FROM dead_letter')
      for (const description of ['first', 'second']) {
        sql.run(
          `INSERT INTO dead_letter (kind, description, first_tried_at, last_tried_at, attempts, error, payload)
           VALUES ('mail', ?1, ?2, ?2, 3, 'No', ?3)`,
          ...[description, at, JSON.stringify(mail)],
        )
      }
    })
    const listed = async () => expectSuccess(await realm.owner.api.get('/dead_letters')).dead_letters
    const ids = (await listed()).map(({ id }: { id: number }) => id)
    expect(ids).toHaveLength(2)
    await repeat('delete-dead-letter', { dead_letter_id: ids[0] })
    const before = await queuedMail()
    expect(await repeat('retry-dead-letters')).toMatchObject({ retried: 1, remaining: 0 })
    expect(await queuedMail()).toBe(before + 1)
    await repeat('update-cost-cap', { cap_dollars: 1_000 })
    const { id: hold_id } = await repeat('place-hold', { user_id: realm.owner.id, reason: 'Case 12' })
    await repeat('release-hold', { hold_id })
    const backup_id = await makeBackup(realm)
    await repeat('compare-backup', { backup_id })
    await inRealm(realm, ({ parts: { sql } }) => sql.run('UPDATE backup_reading SET progress = NULL'))
    await repeat('give-back-part', { backup_id, user_id: realm.owner.id })
    await inRealm(realm, ({ parts: { sql } }) => sql.run('UPDATE backup_reading SET progress = NULL'))
    await repeat('restore-backup', { backup_id })
    await inRealm(realm, ({ parts: { sql } }) => sql.run(`DELETE FROM meta WHERE key = 'restoration'`))
    await repeat('set-jwt-secret', { secret: 'a secret of forty characters, all of them' })
    await repeat('remove-jwt-secret')
    const archive = await upload(realm.owner, { name: 'a.jsonl', type: 'text/plain', content: '{}' })
    const { id: import_id } = await repeat('begin-import', { path_id: archive.replace('/user_uploads/', '') })
    await repeat('update-import', { import_id, action: 'cancel' })
    await repeat('create-import-upload', {}, { headers: { 'Upload-Length': '5' } })
    const { upload: begun } = expectSuccess(await realm.owner.api.get('/imports'))
    await repeat('remove-import-upload', { upload: begun.id })
    await repeat('invite-imported-users')
    expect((await repeat('verify-realm')).findings).toBeInstanceOf(Array)
    expectSuccess(await realm.owner.api.post('/scim_token'))
    expect((await repeat('update-scim-token', { manages_owners: true })).scim_token).toMatchObject({
      manages_owners: true,
    })
    await repeat('delete-scim-token')
  })

  it('every other write', async () => {
    const UNTOUCHED = [
      // Operations whose answer cannot be given twice, since the credentials are gone.
      ...['regenerate-own-api-key', 'deactivate-own-user', 'deactivate-realm'],
      // Only in a copy of a backup, which is gone then.
      'remove-copy',
      // A log-in gives the key as often as it is asked for.
      'jwt-fetch-api-key',
      // These are always refused, since there is no such service.
      ...['create-constructor-groups-video-call', 'create-webex-video-call'],
    ]
    const writes = ENDPOINTS.filter(
      ({ method, access, idempotency }) =>
        method !== 'GET' && access !== 'anyone' && idempotency !== 'harmless',
    ).map(({ operation }) => operation)
    const left = writes.filter((name) => !walked.has(name) && !UNTOUCHED.includes(name))
    // What needs no parameter needs no step above either.
    for (const operation of left) await repeat(operation)
    const harmless = ENDPOINTS.filter(({ idempotency }) => idempotency === 'harmless')
    expect(harmless.map(({ operation }) => operation).sort()).toEqual([
      ...['add-passkey', 'append-to-import-upload', 'append-to-resumable-upload', 'begin-passkey'],
      ...['begin-totp', 'confirm-totp', 'copy-backup'],
      ...[
        'create-nextcloud-talk-video-call',
        'create-scim-token',
        'create-zoom-call',
        'get-unread-elsewhere',
        'log-out-elsewhere',
        'prove-identity',
        'register-queue',
      ],
      ...['renew-recovery-codes', 'test-login-provider', 'test-notification', 'test-sealed-notification'],
    ])
  })
})
