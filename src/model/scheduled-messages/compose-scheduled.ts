import { BadRequestError } from '../../core/errors.ts'
import type { RealmReads, RealmView } from '../../core/realm-transaction.ts'
import type { ScheduledDestination } from '../../store/unsent/unsent-rows.ts'
import {
  type Composition,
  compose,
  type Destination,
  normaliseContent,
  normaliseTopic,
  requireMayMention,
} from '../messages/text/compose.ts'
import type { Author } from '../messages/text/markdown-lookups.ts'
import {
  resolveChannelDestination,
  resolveDirectDestination,
  usersByIds,
} from '../sending/resolve-destination.ts'

export type ScheduledType = 'direct' | 'private' | 'stream' | 'channel'

/** Returns the kind of a destination by its old or new name (docs/interface/personal.md#scheduled-messages). */
export function kindOf(type: ScheduledType): ScheduledDestination['kind'] {
  return type === 'stream' || type === 'channel' ? 'channel' : 'direct'
}

/** Reads a destination of one kind. Errors: docs/interface/personal.md#scheduled-messages, steps 3 and 4. */
export function readDestination(
  view: RealmView,
  kind: ScheduledDestination['kind'],
  to: number | readonly number[],
  topic: string | undefined,
): ScheduledDestination {
  if (kind === 'channel') {
    if (typeof to !== 'number') throw new BadRequestError('Invalid data type for channel ID')
    if (topic === undefined) throw new BadRequestError('Missing topic')
    return { kind, channelId: to, topic: normaliseTopic(topic) }
  }
  if (typeof to === 'number') throw new BadRequestError('Invalid data type for recipients')
  const userIds = [...new Set(to)]
  if (userIds.length === 0) throw new BadRequestError('Message must have recipients')
  usersByIds(view, userIds)
  return { kind, userIds }
}

/**
 * Composes the message as if it were sent now, with every check of sending: when it is scheduled, and again when it is due,
 * with the permissions of that time. Errors: docs/interface/messages.md#send-a-message.
 */
export function composeScheduled(
  tx: RealmReads,
  author: Author,
  message: { readonly destination: ScheduledDestination; readonly content: string; readonly origin: string },
): Composition {
  const content = normaliseContent(message.content)
  const destination = resolve(tx, author, message.destination)
  const composition = compose(tx, author, destination, content, message.origin)
  requireMayMention(tx, composition)
  return composition
}

function resolve(view: RealmView, author: Author, destination: ScheduledDestination): Destination {
  return destination.kind === 'channel'
    ? resolveChannelDestination(view, author, { id: destination.channelId }, destination.topic)
    : resolveDirectDestination(view, author, { ids: destination.userIds })
}

export function isNoteToSelf(destination: ScheduledDestination, authorId: number): boolean {
  return destination.kind === 'direct' && destination.userIds.every((id) => id === authorId)
}
