import { deleteTopic } from '../../actions/message-changes.ts'
import { goToNarrow } from '../../navigation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { QuestionDialog } from '../../ui/question.tsx'
import { refusalOf } from '../settings/fetched.tsx'
import { channelName, topicName } from '../words.ts'

interface DeleteTopicProps {
  readonly channelId: number
  readonly topic: string
  readonly onClose: () => void
}

/** Asks before a topic's messages are deleted. */
export function DeleteTopic({ channelId, topic, onClose }: DeleteTopicProps) {
  const go = async () => {
    await deleteTopic(channelId, topic)
    goToNarrow(channelNarrow(channelId))
  }
  return (
    <QuestionDialog
      question={{
        title: t.conversation.deleteTopicQuestion(topicName(topic)),
        text: t.conversation.deleteTopicWarning(`#${channelName(channelId)}`),
      }}
      button={t.conversation.deleteTopic}
      onAct={() => refusalOf(go())}
      onClose={onClose}
    />
  )
}
