import type { RealmTransaction } from '../../core/realm-transaction.ts'
import { countPoints, isLongerThan } from '../../core/text-length.ts'
import type { RecordOf } from '../../imports/neutral.ts'
import { peopleOf, type Reference, replaceReferences } from '../../imports/references.ts'
import { missingFile } from '../../imports/texts.ts'
import { plain } from '../../integrations/markdown.ts'
import { mayPrecede } from '../../markdown/rules/mentions.ts'
import { findChannel } from '../../store/channels/channel-rows.ts'
import { type Attachment, findAttachment } from '../../store/uploads/attachment-rows.ts'
import { findGroup } from '../../store/user-groups/user-group-rows.ts'
import { findUser } from '../../store/users/user-rows.ts'
import { mayReadAttachment } from '../messages/read/attachment-access.ts'
import {
  type Composition,
  compose,
  contentUpTo,
  type Destination,
  MAX_MESSAGE_LENGTH,
  normaliseContent,
} from '../messages/text/compose.ts'
import { isNobodys, isOwn } from './import-rights.ts'
import { type ImportWork, targetOf } from './import-work.ts'
import { missingName } from './write-file.ts'

/** Files of a message that its text does not refer to: far more than people send at once. */
const FILES_OF_MESSAGE = 100
/** Replaces the name of a channel that most readers may not know. */
const PRIVATE_CHANNEL = '*a private channel*'

/** The text of a message, with the files to which it links. */
export interface ImportedText {
  readonly content: string
  readonly files: readonly Attachment[]
  /** Ids there of files that are not here. */
  readonly missing: readonly string[]
}

/**
 * Returns the text of a message with its references replaced and with links to its other files, cut to the length of a message.
 * @throws BadRequestError for an empty text
 */
export function textOf(
  tx: RealmTransaction,
  work: ImportWork,
  { content, files = [] }: Pick<RecordOf<'message'>, 'content' | 'files'>,
  destination: Destination,
): ImportedText {
  const linked = new Map<number, Attachment>()
  const missing: string[] = []
  const replaced = replaceReferences(content.toWellFormed().replaceAll('\0', ''), (reference) =>
    markdownOf(tx, work, reference, destination, { linked, missing }),
  )
  const others = files.slice(0, FILES_OF_MESSAGE).flatMap((id) => {
    const file = fileOf(tx, work, id)
    if (!file) {
      missing.push(id)
      return [missingFile(plain(missingName(tx, work, id) ?? ''))]
    }
    if (linked.has(file.id)) return []
    linked.set(file.id, file)
    return [linkTo(file, '')]
  })
  if (files.length > FILES_OF_MESSAGE)
    work.tally.problem('message with too many files', content.slice(0, 100))
  const links = others.join('\n')
  const text = replaced.trimEnd()
  const room = MAX_MESSAGE_LENGTH - countPoints(links) - 2
  if (isLongerThan(text, links === '' ? MAX_MESSAGE_LENGTH : room))
    work.tally.count('passedOver', 'message.content, cut')
  const whole =
    links === '' ? text : text === '' ? links : `${contentUpTo(text, Math.max(room, 0))}\n\n${links}`
  return { content: normaliseContent(whole), files: [...linked.values()], missing }
}

/** A text before it is composed. */
interface Uncomposed extends Pick<Composition, 'author' | 'destination' | 'content'> {
  readonly pictures: { readonly at: readonly string[] }
}

/**
 * Composes a text of a person of the source. It names only what its writer may know of: the author, or, where somebody else has that account, the
 * owner who imports.
 */
export function composeAs(
  tx: RealmTransaction,
  work: ImportWork,
  sender: string,
  { author, destination, content, pictures }: Uncomposed,
): Composition {
  const isNobody = isNobodys(tx, work, sender, author.user.id)
  const composed = compose(tx, isNobody ? author : work.owner, destination, content, tx.origin, pictures)
  return { ...composed, author }
}

/** Returns the Markdown of a reference, or its label if the thing is missing. */
function markdownOf(
  tx: RealmTransaction,
  work: ImportWork,
  { kind, id, form, label, before, isSilent }: Reference,
  destination: Destination,
  found: { readonly linked: Map<number, Attachment>; readonly missing: string[] },
): string {
  const { sql } = tx
  if (kind === 'file') {
    const file = fileOf(tx, work, id)
    if (!file) {
      found.missing.push(id)
      return missingFile(label)
    }
    found.linked.set(file.id, file)
    return form === 'link' ? linkTo(file, label) : `/user_uploads/${file.path}`
  }
  if (kind === 'conversation') {
    const path = conversationPath(tx, work, id)
    if (path === undefined) return missing(work, kind, label)
    return form === 'link' ? `[${label}](${path})` : path
  }
  const target = targetOf(tx, work, kind, id)
  if (target === undefined) return missing(work, kind, label)
  const gap = gapAfter(before)
  if (kind === 'channel' && form === 'mention') return channelLink(tx, target, destination, gap)
  // Nobody is notified of an imported mention, silent or not.
  const mark = gap + (isSilent ? '@_' : '@')
  if (kind === 'group') return form === 'mention' ? `${mark}*${findGroup(sql, target)?.name ?? ''}*` : label
  const path =
    kind === 'user'
      ? `/#user/${target}`
      : kind === 'channel'
        ? `/#narrow/channel/${target}`
        : `/#narrow/id/${target}`
  if (form === 'link') return `[${label}](${path})`
  return kind === 'user' ? `${mark}**${findUser(sql, target)?.fullName ?? ''}|${target}**` : path
}

/** Counts a thing to which nothing can lead; returns the words in its place. */
function missing({ tally }: ImportWork, kind: Reference['kind'], label: string): string {
  tally.count('written', `references to a missing ${kind}`)
  return label === '' ? `(${kind})` : label
}

/** Returns the path of a direct conversation; undefined if one of its people is missing. */
function conversationPath(tx: RealmTransaction, work: ImportWork, id: string): string | undefined {
  const ids = new Set<number>()
  for (const person of peopleOf(id)) {
    const target = targetOf(tx, work, 'user', person)
    if (target === undefined) return undefined
    ids.add(target)
  }
  return `/#narrow/dm/${[...ids].sort((a, b) => a - b).join()}-${ids.size > 1 ? 'group' : 'dm'}`
}

/** Returns a link to a channel, without its name if readers of the text may not be in the channel. */
function channelLink({ sql }: RealmTransaction, id: number, destination: Destination, gap: string): string {
  const channel = findChannel(sql, id)
  const isSame = destination.kind === 'channel' && destination.channel.id === id
  return channel && (isSame || !channel.isPrivate) ? `${gap}#**${channel.name}**` : PRIVATE_CHANNEL
}

/**
 * Returns what separates a mention from the character before it, since elsewhere mentions may stand within words. Emphasis does not begin with a
 * blank: there it is a character without width that counts as one.
 */
function gapAfter(before: string): string {
  if (before === '' || mayPrecede.test(before)) return ''
  return /[*~]/.test(before) ? '\ufeff' : ' '
}

function fileOf(tx: RealmTransaction, work: ImportWork, id: string): Attachment | undefined {
  const target = targetOf(tx, work, 'file', id)
  const file = target === undefined ? undefined : findAttachment(tx.sql, target)
  // A message makes its files readable to others. To who imports, hidden and missing ones are the same.
  const isHere = file && (isOwn(tx, work, 'file', id) || mayReadAttachment(tx, work.owner, file))
  if (!isHere) work.tally.count('written', 'references to a missing file')
  return isHere ? file : undefined
}

function linkTo({ name, path }: Attachment, label: string): string {
  const words = label.trim() === '' ? name.replace(/[[\]\\`*\s]+/g, ' ').trim() : label
  return `[${words || 'file'}](/user_uploads/${path})`
}
