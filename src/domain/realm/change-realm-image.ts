import { EVERYONE } from '../../core/audience.ts'
import type { Command, ReadCommand } from '../../core/command.ts'
import type { RealmTransaction } from '../../core/realm-transaction.ts'
import type { StoredRealmEvent } from '../../events/realm.ts'
import type { Caller } from '../caller.ts'
import { enterImage, type ReservedImage, reserveImage, retireImage } from '../images/reserve-image.ts'
import { type PresentedRealmImage, presentRealmImage } from './realm-icon.ts'
import { type RealmImageName, readRealmImage, writeRealmSetting } from './realm-setting-rows.ts'

export interface LogoParams {
  /** Whether it is the logo for dark themes. */
  readonly night: boolean
}

/**
 * Reserves a key for a picture of the organization. Source: docs/interface/organization.md#change-settings.
 */
export const uploadRealmImage: Command<Caller, object, void, ReservedImage> = {
  apply: (tx, { source }) => reserveImage(tx, source.fileId),
}

export interface EnterRealmImageParams {
  readonly name: RealmImageName
  readonly path: string
}

/** Enters a stored picture, which is shown from now on. */
export const enterRealmImage: Command<Caller, EnterRealmImageParams, void, object> = {
  apply(tx, { source }, { name, path }) {
    enterImage(tx, path)
    return change(tx, source.origin, name, path)
  },
}

export const getRealmIcon: ReadCommand<Caller, object, void, object> = {
  reads: true,
  apply: (tx, { source }) => answerOf('icon', presentRealmImage(tx, source.origin, 'icon')),
}

export const deleteRealmIcon: Command<Caller, object, void, object> = {
  apply: (tx, { source }) => change(tx, source.origin, 'icon', null),
}

export const getRealmLogo: ReadCommand<Caller, LogoParams, void, object> = {
  reads: true,
  apply: (tx, { source }, { night }) =>
    answerOf(logoName(night), presentRealmImage(tx, source.origin, logoName(night))),
}

export const deleteRealmLogo: Command<Caller, LogoParams, void, object> = {
  apply: (tx, { source }, { night }) => change(tx, source.origin, logoName(night), null),
}

export function logoName(night: boolean): RealmImageName {
  return night ? 'night_logo' : 'logo'
}

function change(tx: RealmTransaction, origin: string, name: RealmImageName, path: string | null): object {
  const before = readRealmImage(tx.sql, name)
  if (before.path !== null) retireImage(tx, before.path)
  writeRealmSetting(tx.sql, name, { path, version: before.version + 1 })
  const image = presentRealmImage(tx, origin, name)
  const event: StoredRealmEvent = {
    type: 'realm',
    op: 'update_dict',
    property: name,
    data: { [`${name}_url`]: image.url, [`${name}_source`]: image.source },
  }
  tx.emit(event, EVERYONE)
  return answerOf(name, image)
}

/** Returns the answer, in which both logos have one name. */
function answerOf(name: RealmImageName, { url }: PresentedRealmImage): object {
  return name === 'icon' ? { icon_url: url } : { logo_url: url }
}
