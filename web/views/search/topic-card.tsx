import { state, watch } from '../../chat.ts'
import { hrefOf, hrefOfConversation } from '../../navigation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import type { Card } from '../../state/search-cards.ts'
import { r } from '../../texts/reading.ts'
import { t } from '../../texts/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { dayName, shortTime } from '../../ui/time.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { previewPartsOf } from '../inbox/preview.ts'
import { HtmlText } from '../message/html-text.tsx'
import { channelName, topicName } from '../words.ts'

/** A topic whose name has the searched words: one card for all of its messages. `isWhole`: whether all of them have been found. */
export function TopicCard({
  card: { channelId, topic, id, count },
  isWhole,
}: {
  readonly card: Extract<Card, { kind: 'topic' }>
  readonly isWhole: boolean
}) {
  watch(`message ${id}`, 'channel', 'user')
  const newest = state.messages.get(id)
  if (!newest) return null
  const channel = state.channels.get(channelId)
  const color = channel?.subscription?.color
  const preview = previewPartsOf(newest)
  return (
    <section class="result result-of-topic">
      <div class="result-head" style={color ? { '--edge': color } : {}}>
        <span class="result-kind">{t.message.topic}</span>
        <span class="result-place">
          <ChannelIcon channel={channel} />
          <a class="one-line" dir="auto" href={hrefOf(channelNarrow(channelId))}>
            {channelName(channelId)}
          </a>
          <Icon name="within" />
          <a
            class="one-line result-topic"
            dir="auto"
            href={hrefOfConversation({ kind: 'topic', channelId, topic })}
          >
            {newest.match_subject ? <HtmlText html={newest.match_subject} /> : topicName(topic)}
          </a>
        </span>
        <span class="soft result-count">{r.search.topicMessages({ count, isWhole })}</span>
        <span class="soft result-day">{dayName(newest.timestamp)}</span>
        <span class="soft result-day-short">{shortTime(newest.timestamp)}</span>
      </div>
      <p class="result-preview one-line soft" dir="auto">
        <bdi>{preview.writer}</bdi>
        {preview.text}
      </p>
    </section>
  )
}
