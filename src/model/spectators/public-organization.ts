import { NotFoundError } from '../../core/errors.ts'
import type { RealmView } from '../../core/realm-transaction.ts'
import type { Sql } from '../../core/sql.ts'
import { plainTextOf } from '../../markdown/plain-text.ts'
import { isOpenToSpectators } from '../../rules/spectator-rules.ts'
import { type Channel, findChannel } from '../../store/channels/channel-rows.ts'
import { realmProperty } from '../../store/realm/realm-setting-rows.ts'
import { presentRealmImage } from '../realm/realm-icon.ts'

/** Facts about the organization that each page without an account shows. */
export interface PublicOrganization {
  readonly name: string
  /** Markdown. */
  readonly description: string
  /** Code of the organization's language. */
  readonly language: string
  /** Absolute address of the uploaded picture; null without one. */
  readonly icon: string | null
}

export interface PublicChannel {
  readonly id: number
  readonly name: string
  /** Plain text. */
  readonly description: string
  readonly isArchived: boolean
}

export function publicOrganization(
  { sql, realm }: Pick<RealmView, 'sql' | 'realm'>,
  origin: string,
): PublicOrganization {
  const icon = presentRealmImage({ sql, realm }, origin, 'icon')
  return {
    name: realmProperty(sql, 'name'),
    description: realmProperty(sql, 'description'),
    language: realmProperty(sql, 'default_language'),
    icon: icon.source === 'U' ? icon.url : null,
  }
}

export function publicChannel({ id, name, renderedDescription, isArchived }: Channel): PublicChannel {
  const description = plainTextOf(renderedDescription, { hideSpoilers: true })
  return { id, name, description, isArchived }
}

/** @throws NotFoundError for a channel that is not open, or does not exist. */
export function requirePublicChannel(sql: Sql, id: number): Channel {
  const channel = findChannel(sql, id)
  if (!channel || !isOpenToSpectators(channel)) throw new NotFoundError('Not found')
  return channel
}
