import type { ModelRun } from '../model-run.ts'
import type { Person } from '../person.ts'
import type { ModelChannel, ModelMessage } from '../reference-model.ts'

/** An action of a user; its numbers are indexes into the lists of users, channels and messages, modulo their length. */
export interface Action {
  readonly kind: string
  readonly who: number
  readonly where: number
  readonly what: number
  /** Whether the object is put to sleep before. */
  readonly evict: boolean
  /** Whether the Worker's cache of blocks is emptied before: otherwise it has what was registered at the beginning. */
  readonly forget: boolean
}

/**
 * Does it in the server and in the model, and returns a description of it; undefined, with nothing done, if the model says
 * that it is impossible.
 */
export type Command = (run: ModelRun, action: Action) => Promise<string | undefined>

export const TOPICS = ['tides', 'nets', ''] as const

export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)]
}

/** A user who can act. */
export function actorOf({ people, model }: ModelRun, { who }: Action): Person {
  return pick(
    people.filter(({ id }) => model.users.get(id)!.isActive),
    who,
  )!
}

export function channelOf(
  { model }: ModelRun,
  { where }: Action,
  fits: (channel: ModelChannel) => boolean = () => true,
): ModelChannel | undefined {
  return pick([...model.channels.values()].filter(fits), where)
}

export function messageOf(
  { model }: ModelRun,
  { what }: Action,
  fits: (message: ModelMessage) => boolean,
): ModelMessage | undefined {
  return pick([...model.messages.values()].filter(fits), what)
}

/** A channel in which things can change. */
export function isInOpenChannel({ model }: ModelRun, message: ModelMessage): boolean {
  return message.channelId !== undefined && !model.isInArchive(message)
}

/** Returns `public > “tides”`, for the description of an action. */
export function destinationName(
  { model }: ModelRun,
  { channelId, topic }: Pick<ModelMessage, 'channelId' | 'topic'>,
): string {
  return channelId === undefined ? 'a conversation' : `${model.channels.get(channelId)!.name} > “${topic}”`
}
