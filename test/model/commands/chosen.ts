import type { ModelRun } from '../model-run.ts'
import type { Person } from '../person.ts'
import type { ModelChannel, ModelMessage } from '../reference-model.ts'

/** One thing that somebody does; numbers are taken round the lists of users, channels and messages. */
export interface Action {
  readonly kind: string
  readonly who: number
  readonly where: number
  readonly what: number
  /** The object is put to sleep before. */
  readonly evict: boolean
}

/**
 * Does it in the server and in the model, and says what it did; undefined, and nothing done, where the
 * model says that it cannot be done.
 */
export type Command = (run: ModelRun, action: Action) => Promise<string | undefined>

export const TOPICS = ['tides', 'nets', ''] as const

export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)]
}

/** Somebody who can act. */
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

/** In a channel where things can change. */
export function isInOpenChannel({ model }: ModelRun, message: ModelMessage): boolean {
  return message.channelId !== undefined && !model.isInArchive(message)
}

/** `public > “tides”`, for the account of what was done. */
export function placeName(
  { model }: ModelRun,
  { channelId, topic }: Pick<ModelMessage, 'channelId' | 'topic'>,
): string {
  return channelId === undefined ? 'a conversation' : `${model.channels.get(channelId)!.name} > “${topic}”`
}
