import { countPoints, firstPoints } from '../core/text-length.ts'
import type { Known } from './known.ts'

/** Code points of a topic. */
const TOPIC_LENGTH = 60

/** Returns a topic that no other thread of the channel has. `time`: of the first message, in milliseconds. */
export async function newTopic(channel: string, time: number, words: string, known: Known): Promise<string> {
  const day = new Date(time).toISOString().slice(0, 10)
  return ownTopic(channel, `${day} ${words || 'Thread'}`, known)
}

/** Returns a name, with a number where the channel has a topic of this name already. */
export async function ownTopic(channel: string, whole: string, known: Known): Promise<string> {
  const name = cutTo(whole, '')
  const key = `${channel}/${name.toLowerCase()}`
  const number = Number((await known.get('topic', key)) ?? '0') + 1
  await known.put('topic', key, String(number))
  return number === 1 ? name : cutTo(whole, ` (${number})`)
}

/** Cuts a name so that what follows has room. */
function cutTo(name: string, end: string): string {
  const room = TOPIC_LENGTH - countPoints(end)
  return (countPoints(name) > room ? `${firstPoints(name, room - 1).trimEnd()}…` : name) + end
}
