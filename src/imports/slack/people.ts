/** People and bots of a Slack export. */
import type { Payload } from '../../integrations/payload.ts'
import { emojiNamed } from '../../integrations/slack/emoji.ts'
import { unescaped } from '../../integrations/slack/mrkdwn.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'

/** Profile fields of all workspaces, with their names in users.json. */
const COMMON_FIELDS = [
  ['title', 'Title'],
  ['phone', 'Phone'],
  ['skype', 'Skype'],
] as const
/** UTF-16 units of the value of a short profile field. */
const SHORT_VALUE = 50
const MAX_VALUE = 10_000

export const SLACKBOT = 'USLACKBOT'

/**
 * Yields the records of a user in users.json. `isOfOthers`: whether they are of another company. Their accounts are closed, without an address, so
 * that they are never mailed and nobody else's account is taken for theirs.
 */
export async function* ofUser(
  user: Payload,
  isOfOthers: boolean,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const id = user.text('id')
  if (id === '') {
    yield { type: 'problem', kind: 'person without an id' }
    return
  }
  const profile = user.at('profile')
  const fullName = nameOf(user, id)
  await known.put('user', id, fullName)
  if (user.text('name') !== '') await known.put('name', user.text('name'), id)
  if (profile.text('bot_id') !== '') await known.put('bot', profile.text('bot_id'), id)
  const values: { field: string; value: string }[] = []
  for (const [key, name] of COMMON_FIELDS) {
    const value = unescaped(profile.text(key)).trim()
    if (value === '') continue
    yield* fieldOnce(key, name, value, known)
    values.push({ field: key, value: value.slice(0, MAX_VALUE) })
  }
  for (const [key, field] of profile.entries('fields')) {
    const value = unescaped(field.text('value')).trim()
    if (value === '' || key.length > 100) continue
    yield* fieldOnce(key, undefined, value, known)
    values.push({ field: key, value: value.slice(0, MAX_VALUE) })
  }
  const avatar = avatarOf(user, id)
  if (avatar) yield avatar
  if (isOfOthers && !isBot(user, id))
    yield { type: 'problem', kind: 'person of another company', detail: fullName.slice(0, 1_000) }
  const timezone = user.text('tz')
  const status = unescaped(profile.text('status_text')).trim()
  const statusEmoji = emojiIn(profile.text('status_emoji'))
  yield {
    type: 'user',
    id,
    full_name: fullName.slice(0, 1_000),
    email: (!isOfOthers && profile.text('email').trim()) || null,
    role: isOfOthers ? 'guest' : roleOf(user),
    is_bot: isBot(user, id),
    deactivated: isOfOthers || user.isTrue('deleted') || isBot(user, id),
    ...(timezone.includes('/') && { timezone }),
    ...(avatar && { avatar: avatar.id }),
    ...(values.length > 0 && { profile: values }),
    ...(status && { status: status.slice(0, 1_000) }),
    ...(statusEmoji && { status_emoji: statusEmoji }),
  }
}

/** Returns the emoji of a status, which is between colons there. */
function emojiIn(text: string): RecordOf<'user'>['status_emoji'] {
  const written = /^:([^\s]{1,150}):$/.exec(text.trim())?.[1]
  if (written === undefined) return undefined
  const { name, code } = emojiNamed(written)
  return code === undefined ? { emoji: name } : { emoji: name, code, kind: 'unicode' }
}

function isBot(user: Payload, id: string): boolean {
  return id === SLACKBOT || user.isTrue('is_bot') || user.isTrue('is_workflow_bot')
}

/** Yields the record of a field once. Fields of a workspace have no names in an export: they get numbers until an owner names them. */
async function* fieldOnce(
  id: string,
  name: string | undefined,
  value: string,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if ((await known.get('field', id)) !== undefined) return
  const number = Number((await known.get('field', '')) ?? '0') + (name === undefined ? 1 : 0)
  await known.put('field', '', String(number))
  await known.put('field', id, 'made')
  const shown = name ?? `Slack field ${number}`
  if (name === undefined)
    yield {
      type: 'problem',
      kind: 'profile field without a name',
      detail: `${shown}: ${value.slice(0, 100)}`,
    }
  yield {
    type: 'profile_field',
    id,
    name: shown,
    kind: value.length > SHORT_VALUE ? 'long' : 'short',
  }
}

function nameOf(user: Payload, id: string): string {
  const profile = user.at('profile')
  const name =
    profile.text('real_name').trim() ||
    user.text('real_name').trim() ||
    profile.text('display_name').trim() ||
    user.firstText('name', 'display_name', 'username').trim()
  return unescaped(name) || (id === SLACKBOT ? 'Slackbot' : `Slack user ${id}`)
}

function roleOf(user: Payload): RecordOf<'user'>['role'] {
  if (user.isTrue('is_primary_owner') || user.isTrue('is_owner')) return 'owner'
  if (user.isTrue('is_admin')) return 'administrator'
  return user.isTrue('is_restricted') || user.isTrue('is_ultra_restricted') ? 'guest' : 'member'
}

/** Returns the picture that a user has uploaded. Others are made from the address, here as there. */
function avatarOf(user: Payload, id: string): RecordOf<'file'> | undefined {
  const profile = user.at('profile')
  const hash = profile.text('avatar_hash')
  const team = user.text('team_id') || profile.text('team')
  const isUploaded = /^[a-f0-9]{6,64}$/i.test(hash) && !hash.startsWith('g') && team !== ''
  const url = isUploaded
    ? `https://ca.slack-edge.com/${team}-${id}-${hash}-512`
    : profile.text('image_original')
  if (!/^https:\/\//.test(url) || url.length > 2_000) return undefined
  return { type: 'file', id: `avatar:${id}`, name: 'avatar', url, owner: id }
}

/** The name of a user whom something has mentioned, and nothing named yet. */
const UNNAMED = ''

/**
 * Yields a record for a user whom no list names, such as one of another workspace in a shared channel, or one who was removed. `profile`: that of
 * the sender in a message. Without a name the record waits for a message that has it, or for the end (`ofUnnamed`).
 */
export async function* ofUnlisted(
  id: string,
  profile: Payload,
  label: string,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  if (id === '' || id.length > 200) return
  const knownName = await known.get('user', id)
  if (knownName !== undefined && knownName !== UNNAMED) return
  const name =
    unescaped(profile.firstText('real_name', 'display_name', 'name')).trim() ||
    label.trim() ||
    (id === SLACKBOT ? 'Slackbot' : UNNAMED)
  if (name !== UNNAMED) yield await closedAccount(id, name, known)
  else if (knownName === undefined) {
    const number = Number((await known.get('unnamed', '')) ?? '0')
    await known.put('unnamed', String(number), id)
    await known.put('unnamed', '', String(number + 1))
    await known.put('user', id, UNNAMED)
  }
}

/** Yields the records of the people for whom no message had a name. */
export async function* ofUnnamed(known: Known): AsyncGenerator<NeutralRecord> {
  const count = Number((await known.get('unnamed', '')) ?? '0')
  for (let number = 0; number < count; number += 1) {
    const id = (await known.get('unnamed', String(number)))!
    if ((await known.get('user', id)) === UNNAMED) yield await closedAccount(id, `Slack user ${id}`, known)
  }
}

async function closedAccount(id: string, name: string, known: Known): Promise<NeutralRecord> {
  await known.put('user', id, name)
  return {
    type: 'user',
    id,
    full_name: name.slice(0, 1_000),
    email: null,
    is_bot: id === SLACKBOT,
    deactivated: true,
  }
}

/** Returns the account of the bot that wrote a message, with its record if it is new. */
export async function botOf(message: Payload, known: Known): Promise<{ id: string; record?: NeutralRecord }> {
  const botId = message.text('bot_id')
  const name = unescaped(message.text('username').trim() || message.text('bot_profile', 'name').trim())
  const account = botId === '' ? undefined : await known.get('bot', botId)
  if (account !== undefined) return { id: account }
  const id = (botId || `bot-name:${name}`).slice(0, 200)
  if ((await known.get('user', id)) !== undefined) return { id }
  const fullName = (name || `Slack bot ${botId}`).slice(0, 1_000)
  await known.put('user', id, fullName)
  return {
    id,
    record: { type: 'user', id, full_name: fullName, email: null, is_bot: true, deactivated: true },
  }
}
