/** Reads a play: the lines, who says them and where, and who is present. The file itself describes its format. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.ts'

export type PlayConversation =
  | { readonly kind: 'channel'; readonly channel: string; readonly topic: string }
  | { readonly kind: 'group' }

export interface PlayLine {
  readonly conversation: PlayConversation
  /** The people who are present, the speaker included. */
  readonly present: readonly string[]
  readonly speaker: string
  readonly text: string
}

const PLAY = join(PROJECT, 'test/data/hamlet-act-1-scene-1.txt')

/** @throws {Error} for a line without a speaker, or with one who is not in the demo. */
export function readPlay(file = PLAY): PlayLine[] {
  const lines: PlayLine[] = []
  let conversation: PlayConversation | undefined
  let present: string[] = []
  let speaker: string | undefined
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '' || text.startsWith('#')) continue
    const scene = /^\[(?:#(?<channel>[^>]+) > (?<topic>.+)|group)\] (?<people>.+)$/.exec(text)?.groups
    const name = /^(?<name>[A-Z]+):$/.exec(text)?.groups?.name
    if (scene !== undefined) {
      const { channel, topic, people } = scene
      conversation =
        channel === undefined ? { kind: 'group' } : { kind: 'channel', channel, topic: topic as string }
      present = (people as string).split(', ')
    } else if (name !== undefined) {
      speaker = name
    } else {
      if (conversation === undefined || speaker === undefined)
        throw new Error(`The line has no speaker or conversation: ${text}`)
      if (!present.includes(speaker)) throw new Error(`${speaker} is not present to say: ${text}`)
      lines.push({ conversation, present, speaker, text })
    }
  }
  return lines
}

export function describeConversation(conversation: PlayConversation): string {
  return conversation.kind === 'group' ? 'the group' : `#${conversation.channel} > ${conversation.topic}`
}
