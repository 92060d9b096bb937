/** Topics of threads. */

import { countPoints, firstPoints } from '../../core/text-length.ts'
import type { Payload } from '../../integrations/payload.ts'
import { emojiNamed } from '../../integrations/slack/emoji.ts'
import { emojiCharacters } from '../../markdown/emoji-data.ts'
import type { Known } from '../known.ts'

/** UTF-16 units of a text in which its first words are. */
const LOOKED_AT = 600
const MAX_ELEMENTS = 100

/** Returns the beginning of a message's text without markup; '' for one without text. */
export function firstWords(message: Payload, known: Known): string {
  return wordsOf(message.text('text').slice(0, LOOKED_AT), known) || wordsOfBlocks(message)
}

function wordsOf(mrkdwn: string, known: Known): string {
  return mrkdwn
    .replaceAll(/<([^<>\n]*)>?/g, (_, token: string) =>
      ` ${wordOfToken(token, known)} `.replace(/^ (?= )/, ''),
    )
    .replaceAll(/:([\w+'-]{1,100}(?:::skin-tone-\d)?):/g, (whole, name: string) => {
      const { code } = emojiNamed(name)
      return code === undefined ? whole : emojiCharacters(code)
    })
    .replaceAll(/&(?:gt|lt|amp);/g, (entity) => ENTITIES[entity]!)
    .replaceAll(
      /[*`~>•◦▪]+|(?<![\p{L}\p{N}_])_+(?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}.!?])_+(?![\p{L}\p{N}_])/gu,
      '',
    )
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/ (?=[.,;:!?])/g, '')
    .trim()
}

const ENTITIES: Readonly<Record<string, string>> = { '&gt;': '', '&lt;': '<', '&amp;': '&' }

/** Returns the words for a link, a mention or a date. */
function wordOfToken(token: string, known: Known): string {
  const [target = '', label] = token.split('|', 2)
  if (target.startsWith('@')) return known.seen('user', target.slice(1)) || label || ''
  if (target.startsWith('#')) return `#${known.seen('channel', target.slice(1)) ?? label ?? ''}`
  if (target.startsWith('!')) return label ?? `@${target.slice(1)}`
  return label ?? target.replace(/^https?:\/\/|^mailto:/, '')
}

function wordsOfBlocks(message: Payload): string {
  const texts = message
    .list('blocks')
    .slice(0, MAX_ELEMENTS)
    .flatMap((block) => [block.at('text'), ...block.list('elements').slice(0, MAX_ELEMENTS)])
    .flatMap((part) => [part, ...part.list('elements').slice(0, MAX_ELEMENTS)])
    .map((part) => part.text('text'))
  return texts
    .join(' ')
    .slice(0, LOOKED_AT)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** Code points of a topic. */
const TOPIC_LENGTH = 60

/** Returns a topic that no other thread of the channel has. `time`: milliseconds of the first message. */
export async function newTopic(channel: string, time: number, words: string, known: Known): Promise<string> {
  const day = new Date(time).toISOString().slice(0, 10)
  return ownTopic(channel, `${day} ${words || 'Thread'}`, known)
}

/** Returns a name, with a number if the channel has a topic of this name already. */
export async function ownTopic(channel: string, whole: string, known: Known): Promise<string> {
  const name = cutTo(whole, '')
  const key = `${channel}/${name.toLowerCase()}`
  const number = Number((await known.get('topic', key)) ?? '0') + 1
  await known.put('topic', key, String(number))
  return number === 1 ? name : cutTo(whole, ` (${number})`)
}

/** Cuts a name so that `end` has room. */
function cutTo(name: string, end: string): string {
  const room = TOPIC_LENGTH - countPoints(end)
  return (countPoints(name) > room ? `${firstPoints(name, room - 1).trimEnd()}…` : name) + end
}
