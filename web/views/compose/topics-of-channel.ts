import { useEffect } from 'preact/hooks'
import { loadTopics } from '../../actions/message-windows.ts'
import { state, watch } from '../../chat.ts'

/** Loads the topics of a channel where they are not known. */
export function useTopics(channelId: number | undefined): void {
  watch(`topics of channel ${channelId ?? 0}`)
  useEffect(() => {
    if (channelId !== undefined && !state.topics.get(channelId)?.isComplete)
      loadTopics(channelId).catch(() => {})
  }, [channelId])
}
