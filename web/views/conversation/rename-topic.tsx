import '../message/message-dialogs.css'
import { useState } from 'preact/hooks'
import { move, newestOf } from '../../actions/changing-messages.ts'
import { state } from '../../chat.ts'
import { isResolved, toggledTopic } from '../../state/conversation.ts'
import { topicJoined } from '../../state/topics.ts'
import { t } from '../../texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { announce } from '../announcement.tsx'
import { topicNeedOf, topicTyped, useTopics } from '../compose/topics-of-channel.ts'
import { useAction } from '../use-action.tsx'
import { topicName } from '../words.ts'

interface RenameTopicProps {
  readonly channelId: number
  readonly topic: string
  readonly onClose: () => void
}

/** Gives all messages of a topic another name; a resolved one stays resolved. */
export function RenameTopic({ channelId, topic, onClose }: RenameTopicProps) {
  const [name, setName] = useState(isResolved(topic) ? toggledTopic(topic) : topic)
  const { run, refusal, isBusy } = useAction(onClose)
  const { required, placeholder } = topicNeedOf(channelId)
  // The topic without a name cannot be resolved.
  const mustBeNamed = required || isResolved(topic)
  const next = isResolved(topic) ? toggledTopic(name.trim()) : topicTyped(name)
  const rename = async () => {
    const id = await newestOf(channelId, topic)
    if (id === undefined) return
    // Among messages that were there before, nothing says afterwards which have come.
    const mayReturn =
      (await newestOf(channelId, next)) === undefined || next.toLowerCase() === topic.toLowerCase()
    await move(id, { topic: next, extent: 'change_all' })
    const back = () => move(id, { topic, extent: 'change_all' })
    announce(t.done.renamed(topicName(next)), mayReturn ? back : undefined)
  }
  useTopics(channelId)
  const joined = topicJoined(state, channelId, { from: topic, to: next })
  return (
    <Dialog title={t.conversation.rename} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run(rename)
        }}
      >
        {refusal}
        <label class="labelled topic-field">
          <span>{t.message.topic}</span>
          <input
            class="field"
            dir="auto"
            value={name}
            placeholder={mustBeNamed ? t.compose.topic : placeholder}
            required={mustBeNamed}
            maxLength={state.server.max_topic_length}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <p role="status">{joined !== undefined && t.conversation.mergeWarning(topicName(joined))}</p>
        <div class="dialog-buttons">
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button
            kind="main"
            type="submit"
            disabled={isBusy || next === topic || (mustBeNamed && name.trim() === '')}
          >
            {t.conversation.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
