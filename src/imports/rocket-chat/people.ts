/** People and bots of a Rocket.Chat database. */
import type { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord, RecordOf } from '../neutral.ts'

/** Units of a value of a short profile field, and of any. */
const [SHORT_VALUE, MAX_VALUE] = [50, 10_000] as const
const MAX_FIELDS = 20
/** Kinds of accounts that are no people. */
const BOTS: ReadonlySet<string> = new Set(['bot', 'app'])

/** Yields the records of an account. `fields`: those whose record has been made. */
export async function* ofUser(
  user: Payload,
  fields: Set<string>,
  known: Known,
): AsyncGenerator<NeutralRecord> {
  const id = user.text('_id')
  const name = user.firstText('name', 'username').trim()
  if (id === '' || id.length > 200 || name === '')
    return yield { type: 'problem', kind: 'person without an id or a name', detail: name || id.slice(0, 200) }
  await known.put('user', id, name)
  if (user.text('username') !== '') await known.put('name', user.text('username').toLowerCase(), id)
  const profile: { field: string; value: string }[] = []
  const custom = user.entries('customFields').map(([key, value]) => [key, value.text()] as const)
  for (const [key, given] of [['Bio', user.text('bio')] as const, ...custom].slice(0, MAX_FIELDS)) {
    const value = given.trim().slice(0, MAX_VALUE)
    const field = key.trim().slice(0, 100)
    if (value === '' || field === '') continue
    if (!fields.has(field)) {
      fields.add(field)
      const isLong = field === 'Bio' || value.length > SHORT_VALUE
      yield { type: 'profile_field', id: field, name: field, kind: isLong ? 'long' : 'short' }
    }
    profile.push({ field, value })
  }
  const path = await known.get('avatar', id)
  const avatar = path === undefined ? undefined : `avatar:${id}`.slice(0, 200)
  if (avatar !== undefined) yield { type: 'file', id: avatar, name: 'avatar', path: path!, owner: id }
  const roles = user.list('roles').map((role) => role.text())
  const isBot = BOTS.has(user.text('type')) || roles.includes('bot')
  const joined = user.number('createdAt')
  const status = user.text('statusText').trim()
  yield {
    type: 'user',
    id,
    full_name: name.slice(0, 1_000),
    email: user.text('emails', 0, 'address').trim() || null,
    role: roleOf(roles),
    is_bot: isBot,
    deactivated: isBot || user.at('active').raw === false,
    ...(avatar !== undefined && { avatar }),
    ...(joined !== undefined && joined > 0 && { joined_ms: joined }),
    ...(profile.length > 0 && { profile }),
    ...(status && { status: status.slice(0, 1_000) }),
  }
}

function roleOf(roles: readonly string[]): RecordOf<'user'>['role'] {
  if (roles.includes('admin')) return 'owner'
  return roles.includes('guest') || roles.includes('anonymous') ? 'guest' : 'member'
}

/** Yields the record of a user whom no list has: the account was deleted there. */
export async function* ofUnlisted(id: string, name: string, known: Known): AsyncGenerator<NeutralRecord> {
  if (id === '' || id.length > 200 || (await known.get('user', id)) !== undefined) return
  const fullName = (name.trim() || `Rocket.Chat user ${id}`).slice(0, 1_000)
  await known.put('user', id, fullName)
  yield { type: 'user', id, full_name: fullName, email: null, deactivated: true }
}
