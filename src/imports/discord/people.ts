/** People, bots and roles of a Discord export: it has no list of them, so that each is known from where it is seen first. */
import type { Payload } from '../../integrations/payload.ts'
import type { Known } from '../known.ts'
import type { NeutralRecord } from '../neutral.ts'
import { Lists } from './lists.ts'

/** People and roles of whom a group, or a name, is made. */
const MAX_ROLES = 250

/** Finds a picture, or an attachment: in the archive, or at its address. */
export type FindFile = (
  address: string,
) => Promise<{ readonly path?: string; readonly url?: string } | undefined>

/** Yields the records of whoever has written, reacted or been mentioned, the first time. */
export async function* ofPerson(
  person: Payload,
  known: Known,
  findFile: FindFile,
): AsyncGenerator<NeutralRecord> {
  const id = person.text('id')
  if (id === '' || id.length > 60 || (await known.get('user', id)) !== undefined) return
  const name = person.text('nickname').trim() || person.text('name').trim() || `Discord user ${id}`
  await known.put('user', id, name.slice(0, 200))
  const picture = person.text('avatarUrl')
  const found = /\/embed\/avatars\//.test(picture) ? undefined : await findFile(picture)
  if (found) yield { type: 'file', id: `avatar:${id}`, name: 'avatar', owner: id, ...found }
  const isBot = person.isTrue('isBot')
  yield {
    type: 'user',
    id,
    full_name: name.slice(0, 1_000),
    email: null,
    is_bot: isBot,
    deactivated: isBot,
    ...(found && { avatar: `avatar:${id}` }),
  }
  const lists = new Lists(known)
  for (const role of person.list('roles').slice(0, MAX_ROLES)) {
    const [roleId, roleName] = [role.text('id'), role.text('name').trim()]
    if (roleId === '' || roleName === '') continue
    if (await lists.add('roles', roleId)) await known.put('group', roleId, roleName.slice(0, 200))
    await lists.add(`role ${roleId}`, id)
  }
}

/** Yields the groups that roles become. */
export async function* ofRoles(known: Known): AsyncGenerator<NeutralRecord> {
  const lists = new Lists(known)
  for (const id of await lists.all('roles')) {
    const name = (await known.get('group', id)) ?? ''
    yield { type: 'group', id, name, description: '', members: await lists.all(`role ${id}`) }
  }
}
