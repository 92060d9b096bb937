import { useState } from 'preact/hooks'
import { failureOf } from '../../actions/call.ts'
import { deleteTopic } from '../../actions/message-changes.ts'
import { goToNarrow } from '../../navigation.ts'
import { channelNarrow } from '../../state/narrow.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { channelName, topicName } from '../words.ts'

interface DeleteTopicProps {
  readonly channelId: number
  readonly topic: string
  readonly onClose: () => void
}

/** Asks for confirmation before a topic's messages are deleted. */
export function DeleteTopic({ channelId, topic, onClose }: DeleteTopicProps) {
  const [refusal, setRefusal] = useState('')
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    setRefusal('')
    try {
      await deleteTopic(channelId, topic)
      onClose()
      goToNarrow(channelNarrow(channelId))
    } catch (error) {
      setRefusal(failureOf(error).text || t.noConnection)
      setBusy(false)
    }
  }
  return (
    <Dialog title={t.conversation.deleteTopicQuestion(topicName(topic))} onClose={onClose}>
      {refusal && (
        <p class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <p>{t.conversation.deleteTopicWarning(channelName(channelId))}</p>
      <div class="dialog-buttons">
        <Button autofocus onClick={onClose}>
          {t.cancel}
        </Button>
        <Button kind="danger" disabled={isBusy} onClick={go}>
          {t.conversation.deleteTopic}
        </Button>
      </div>
    </Dialog>
  )
}
