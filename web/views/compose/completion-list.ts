import { state } from '../../chat.ts'
import { names } from '../../navigation.ts'
import { channelNamed } from '../../state/channels.ts'
import type { Channel } from '../../state/chat-state.ts'
import { botsByCommand, COMMANDS, gifWordsOf } from '../../state/commands.ts'
import { completeChannels, completeGroups, completePeople, completeTopics } from '../../state/completion.ts'
import type { Conversation } from '../../state/conversation.ts'
import { completeEmoji } from '../../state/emoji.ts'
import { emojiFromCode } from '../../state/emoji-character.ts'
import { linkTo, mentionOfGroup, mentionOfUser } from '../../state/mention-text.ts'
import { fitOf, plain, plainName } from '../../state/words.ts'
import { c } from '../../texts/compose.ts'
import { t } from '../../texts/texts.ts'
import type { IconName } from '../../ui/icon.tsx'
import { allEmoji, loadEmoji } from '../emoji/emoji-data.ts'
import { emojiUses } from '../emoji/emoji-uses.ts'
import { topicName } from '../words.ts'
import type { WritingAction } from './actions.ts'

export interface Choice {
  readonly key: string
  readonly label: string
  readonly note?: string
  /** A character shown before it. */
  readonly glyph?: string
  /** Address of a person's picture, or ''. */
  readonly avatar?: string
  /** An icon in place of a picture. */
  readonly icon?: IconName
  /** The text that replaces the typed text. */
  readonly text: string
  /** Whether it concerns everybody, so that Enter alone does not take it. */
  readonly isLoud?: boolean
  /** The action that follows. */
  readonly action?: WritingAction
  /** The search words of the action. */
  readonly words?: string
}

export interface Completion {
  /** Position at which the replaced text begins. */
  readonly from: number
  readonly choices: readonly Choice[]
}

const SHOWN = 7
/** The characters allowed before a completing sign: none, a space or an opening bracket. The wide signs are those of East Asian keyboards. */
const BEFORE = '(?:^|[\\s([{"\'])'
const MENTION = new RegExp(`${BEFORE}([@＠]_?(?:\\*\\*)?([^@＠*\\n]{0,40}))$`)
/** A topic in the link to a channel, or behind the one that was chosen last, with the space that follows a choice. */
const TOPIC = /(#\*\*([^*>\n]+)(?:\*\* ?)?>([^*\n]{0,60}))$/
/** The same after the link to a channel whose name the syntax cannot carry. */
const TOPIC_OF_LINK = /(\[#[^\]\n]*\]\(#narrow\/channel\/(\d+)[^)\s]*\) ?>([^*\n]{0,60}))$/
/** The same after a name that is typed through, for which its beginning is enough. */
const TOPIC_OF_TYPED = new RegExp(`${BEFORE}([#＃]([^#＃*>\\s][^#＃*>\\n]{0,40})>([^*>\\n]{0,60}))$`)
const CHANNEL = new RegExp(`${BEFORE}([#＃](?:\\*\\*)?([^#＃*>\\n]{0,40}))$`)
/** Names in any script; in scripts without letters one character may be a word. */
const EMOJI = new RegExp(
  `${BEFORE}([:：]((?:[\\p{L}\\p{M}\\p{N}_+-]{2,40}|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])))$`,
  'u',
)

/** A command stands at the beginning of a message. */
const COMMAND = /^\/([^\n/]{0,40})$/

/** Returns the completions of the text before the cursor. */
export function completionsFor(
  before: string,
  where: Conversation | undefined,
  offered: readonly WritingAction[] = [],
): Completion | undefined {
  const topic = TOPIC.exec(before)
  if (topic) return offer(before, topic[1]!, topics(channelNamed(state, topic[2]!), topic[3]!))
  const topicOfLink = TOPIC_OF_LINK.exec(before)
  if (topicOfLink) {
    const channel = state.channels.get(Number(topicOfLink[2]))
    return offer(before, topicOfLink[1]!, topics(channel, topicOfLink[3]!))
  }
  const topicOfTyped = TOPIC_OF_TYPED.exec(before)
  if (topicOfTyped) {
    const name = topicOfTyped[2]!
    const channel = channelNamed(state, name) ?? completeChannels(state, name, 1)[0]
    return offer(before, topicOfTyped[1]!, topics(channel, topicOfTyped[3]!))
  }
  const mention = MENTION.exec(before)
  if (mention) return offer(before, mention[1]!, people(mention[2]!, mention[1]![1] === '_', where))
  const channel = CHANNEL.exec(before)
  if (channel) return offer(before, channel[1]!, channels(channel[2]!))
  const emoji = EMOJI.exec(before)
  if (emoji) return offer(before, emoji[1]!, emojis(emoji[2]!))
  const command = COMMAND.exec(before)
  if (command) return offer(before, before, commands(command[1]!, where, offered))
  return undefined
}

function offer(before: string, typed: string, choices: Choice[]): Completion | undefined {
  return choices.length === 0 ? undefined : { from: before.length - typed.length, choices }
}

/** Mentions of many people, with the names by which they are looked for: other products and older clients have others. */
const WILDCARDS = [
  ['all', ['all', 'everyone', 'channel', 'stream']],
  ['topic', ['topic']],
] as const

function people(query: string, isSilent: boolean, where: Conversation | undefined): Choice[] {
  // A sentence after a name is not part of the name.
  if (/\s\S+\s\S+\s/.test(query)) return []
  const found = completePeople(state, query, { where, limit: SHOWN - 1 }).map((user) => {
    const isOnly = [...state.users.values()].filter((one) => plainName(one) === plainName(user)).length === 1
    return {
      key: `user ${user.user_id}`,
      label: user.full_name,
      note: user.is_bot ? t.people.bot : (user.delivery_email ?? ''),
      avatar: user.avatar_url ?? '',
      text: `${mentionOfUser(user, { isSilent, isOnly })} `,
    }
  })
  // A direct message reaches all of its people anyway.
  const isMany = query !== '' && where?.kind !== 'direct'
  const wildcards = WILDCARDS.filter(
    ([, names]) => isMany && names.some((name) => name.startsWith(query.toLowerCase())),
  ).map(([name]) => ({
    key: name,
    label: name,
    note: c.wildcards[name],
    icon: 'people' as const,
    text: `@**${name}** `,
    isLoud: true,
  }))
  const groups = completeGroups(state, query, 3).map((group) => ({
    key: `group ${group.id}`,
    label: group.name,
    note: group.description,
    icon: 'people' as const,
    text: `${mentionOfGroup(group, { isSilent })} `,
  }))
  const named = [...found, ...groups].slice(0, SHOWN + 1 - wildcards.length)
  return [...named, ...wildcards]
}

/** Actions with names of their own: the others are commands too. */
const BY_NAME = ['file', 'gif', 'schedule', 'snippet', 'voice', 'call', 'voice-call'] as const

function commands(
  query: string,
  where: Conversation | undefined,
  offered: readonly WritingAction[],
): Choice[] {
  const words = gifWordsOf(`/${query}`)
  if (words && offered.includes('gif')) {
    const label = `/gif ${words}`
    return [{ key: 'action gif', label, note: c.gifs.insert, text: '', action: 'gif', words }]
  }
  const acts = BY_NAME.flatMap((name): Choice[] => {
    const action = name === 'call' ? 'videoCall' : name === 'voice-call' ? 'voiceCall' : name
    if (!name.startsWith(query.toLowerCase()) || !offered.includes(action)) return []
    return [
      {
        key: `action ${name}`,
        label: `/${name}`,
        note: name === 'voice-call' ? c.voiceCall : name === 'gif' ? c.gifs.insert : c.actions[name],
        text: '',
        action,
      },
    ]
  })
  const own = COMMANDS.filter((name) => name.startsWith(query.toLowerCase())).map((name) => ({
    key: `command ${name}`,
    label: `/${name}`,
    note: c.commands[name],
    text: `/${name} `,
  }))
  // Only a mention calls a bot, which is how it is sent.
  const bots = where?.kind === 'topic' ? botsByCommand(state) : []
  const called = bots
    .filter(({ full_name }) => fitOf(full_name, query) !== undefined)
    .map((bot) => ({
      key: `bot ${bot.user_id}`,
      label: `/${bot.full_name}`,
      note: t.people.bot,
      avatar: bot.avatar_url ?? '',
      text: `${mentionOfUser(bot, { isSilent: false, isOnly: false })} `,
    }))
  return [...own, ...acts, ...called.slice(0, SHOWN)]
}

function channels(query: string): Choice[] {
  return completeChannels(state, query, SHOWN).map((channel) => ({
    key: `channel ${channel.stream_id}`,
    label: `#${channel.name}`,
    note: channel.description,
    text: `${linkOf(channel)} `,
  }))
}

function topics(channel: Channel | undefined, query: string): Choice[] {
  if (!channel) return []
  return completeTopics(state, channel.stream_id, query, SHOWN, topicName('')).map((topic) => ({
    key: topic,
    label: topicName(topic),
    note: `#${channel.name}`,
    text: `${linkOf(channel, topic)} `,
  }))
}

function linkOf(channel: Channel, topic?: string): string {
  return linkTo(channel, topic, { names, emptyTopic: topicName('') })
}

function emojis(query: string): Choice[] {
  loadEmoji().catch(() => {})
  return completeEmoji(allEmoji(), query, { uses: emojiUses(), limit: SHOWN }).map(
    ({ name, code, type, label }) => ({
      key: `${type} ${code}`,
      label: `:${name}:`,
      // In English the name mostly says the same.
      note: label === undefined || plain(label) === name.replaceAll('_', ' ') ? '' : label,
      glyph: type === 'unicode_emoji' ? emojiFromCode(code) : '',
      text: `:${name}: `,
    }),
  )
}
