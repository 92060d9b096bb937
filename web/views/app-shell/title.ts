import { state } from '../../chat.ts'
import type { Address } from '../../state/addresses.ts'
import { isMessageAlone } from '../../state/links.ts'
import { channelOfNarrow, conversationOfNarrow, type Narrow } from '../../state/narrow.ts'
import { printSearch } from '../../state/search-text.ts'
import { t } from '../../texts/texts.ts'
import { channelName, peerNames, realName, topicName } from '../words.ts'

/** Returns the words of a window's title for what it shows; undefined where the organization's name says enough. */
export function titleOf(address: Address): string | undefined {
  switch (address.view) {
    case 'narrow': {
      const id = address.near ?? address.with
      return id !== undefined && isMessageAlone(address.narrow, id)
        ? t.linked.title
        : titleOfNarrow(address.narrow)
    }
    case 'inbox':
    case 'recent':
    case 'activity':
    case 'files':
    case 'drafts':
    case 'people':
    case 'settings':
    case 'help':
      return t.views[address.view]
    case 'scheduled':
    case 'reminders':
      return t.views.drafts
    case 'channels': {
      const channel = state.channels.get(Number(address.path[0]))
      return channel
        ? `#${channel.name}`
        : address.path[0] === 'new'
          ? t.channels.create
          : t.sidebar.allChannels
    }
    case 'user':
      return realName(Number(address.path[0]))
    case 'organization':
    case 'groups':
      return t.views.settings
    case 'unknown':
      return t.notThere.title
    case 'home':
      return undefined
  }
}

function titleOfNarrow(narrow: Narrow): string {
  const conversation = conversationOfNarrow(narrow)
  if (conversation?.kind === 'topic') {
    return `${topicName(conversation.topic)} · #${channelName(conversation.channelId)}`
  }
  if (conversation) return peerNames(conversation.peers)
  if (narrow.length === 0) return t.views.feed
  const [term] = narrow
  if (narrow.length === 1 && term && !term.negated) {
    const channelId = channelOfNarrow(narrow)
    if (channelId !== undefined) return `#${channelName(channelId)}`
    if (term.operator === 'is' && term.operand === 'mentioned') return t.views.mentions
    if (term.operator === 'is' && term.operand === 'starred') return t.views.starred
    if (term.operator === 'is' && term.operand === 'dm') return t.views.direct
  }
  return printSearch(state, narrow)
}
